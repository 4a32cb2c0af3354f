"""Photos and notes that a phone adds to its evening."""

import re
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, encode_multipart

from tests.data.photos import photo
from tests.web.phones import Phone

PHOTO = re.compile(r'src="[^"]*/notes/([-0-9a-f]{36})[.]jpg[?]small"')


def add(phone: Phone, text: str = "", sent: bytes = b"", **other: Any) -> TestResponse:
    """Add a note, with a photo if one is given."""
    file = {"photo": FileStorage(BytesIO(sent), "photo.jpg")} if sent else {}
    boundary, form = encode_multipart({"key": str(uuid4()), "text": text, **file, **other})
    return phone.post("notes/", form, content_type=f"multipart/form-data; boundary={boundary}")


def photo_ids(phone: Phone) -> list[UUID]:
    """Give the keys of the photos of the evening, oldest first."""
    return [UUID(key) for key in PHOTO.findall(phone.get("notes/").text)]


def add_photo(phone: Phone, text: str = "", **other: Any) -> UUID:
    """Add a photo and give its key."""
    assert add(phone, text, photo(), **other).status_code == 303
    return photo_ids(phone)[-1]
