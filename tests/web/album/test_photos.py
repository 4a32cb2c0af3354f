"""Photos: small, upright, without a word, whatever was sent."""

import random
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from scorer.errors import InvalidError
from scorer.services.album.photos import MOST_KEPT, cleaned, encoded_again, small
from tests.data.photos import MAKER, NO_PHOTOS, REMARK, of_a_phone, photo


def opened(jpeg: bytes) -> Image.Image:
    picture = Image.open(BytesIO(jpeg))
    picture.load()
    return picture


def test_photo_of_a_phone_is_upright_and_says_nothing_of_where_it_was_taken() -> None:
    sent = of_a_phone()
    assert opened(sent).getexif()

    kept = cleaned(sent + b"<script>alert(1)</script>")

    picture = opened(kept)
    assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (1200, 1600))
    assert not picture.getexif()
    assert picture.info.keys() <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert MAKER.encode() not in kept
    assert REMARK not in kept
    assert b"<script>" not in kept
    assert opened(small(kept)).size == (300, 400)
    red, green, _ = picture.getpixel((100, 800))  # type: ignore[misc]  # what lay below is left
    assert red > green


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (1600, 1200)], ids=str)
def test_small_photos_keep_their_size(kind: str, size: tuple[int, int]) -> None:
    kept = opened(encoded_again(photo(size, kind)))

    assert kept.size == ((1, 1600) if size == (1, 3000) else size)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_photos_of_every_mode_are_kept_and_what_is_seen_through_is_white(mode: str) -> None:
    made, kind = BytesIO(), "JPEG" if mode == "CMYK" else "PNG"
    Image.new(mode, (20, 20)).save(made, kind)
    kept = opened(encoded_again(made.getvalue()))

    assert kept.size == (20, 20)
    if mode in {"LA", "RGBA"}:
        assert kept.getpixel((9, 9)) == (255, 255, 255)


def test_photo_that_nothing_makes_small_is_made_smaller() -> None:
    noise, made = random.Random(7).randbytes(3 * 800 * 800), BytesIO()
    Image.frombytes("RGB", (800, 800), noise).resize((1600, 1600), 1).save(made, "JPEG", quality=60)

    assert len(encoded_again(made.getvalue())) <= MOST_KEPT


@pytest.mark.parametrize(("sent", "code"), NO_PHOTOS.values(), ids=NO_PHOTOS.keys())
def test_what_is_no_photo_is_refused(sent: bytes | Callable[[], bytes], code: str) -> None:
    with pytest.raises(InvalidError) as raised:
        cleaned(sent if isinstance(sent, bytes) else sent())

    assert [(one.code, one.field) for one in raised.value.problems] == [(code, "photo")]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_no_damage_of_a_photo_is_more_than_a_refusal(kind: str) -> None:
    chosen = random.Random(kind)
    sound = of_a_phone((64, 48)) if kind == "JPEG" else photo(kind=kind)
    for _ in range(150):
        spoilt = bytearray(sound)
        for _ in range(chosen.randint(1, 9)):
            spoilt[chosen.randrange(len(spoilt))] = chosen.randrange(256)
        try:
            encoded_again(bytes(spoilt))
        except InvalidError as error:
            assert error.problems[0].field == "photo"  # noqa: PT017  # some are sound all the same
