#!/bin/bash

# Build the program from the sources in its folder, with the locked requirements.
install_program() {
    local program="$install_dir/venv"
    ynh_safe_rm "$program"
    python3 -m venv "$program"
    "$program/bin/pip" install --quiet --require-hashes --no-deps --only-binary :all: \
        --requirement "$install_dir/requirements/run.txt"
    "$program/bin/pip" install --quiet --no-deps --no-build-isolation "$install_dir"
    chown -R "root:$app" "$install_dir"
    chown -R "$app:$app" "$data_dir"
}

add_service() {
    yunohost service add "$app" --description="Keeps the score of Italian card games"
}
