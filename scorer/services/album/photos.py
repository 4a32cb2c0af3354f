"""Photos, encoded again in a child process that loads nothing else of the program."""

from io import BytesIO
from struct import error as StructError  # noqa: N812  # its own name says nothing

from PIL import Image, ImageOps

from scorer.errors import InvalidError
from scorer.services.base import sandbox
from scorer.texts import say

#: Maximum of bytes sent, and stored, so that a photo fits into a line of a circle's file.
MOST_SENT, MOST_KEPT = 2_000_000, 512_000
#: Maximum of pixels decoded; the longer side of a stored photo, and of one in a list.
MOST_PIXELS, SIDE, SMALL = 25_000_000, 1600, 400
FORMATS = ("JPEG", "PNG", "WEBP")
#: How a scan of a JPEG begins: each costs as much as the whole picture, and cameras make ten.
SCAN, MOST_SCANS = b"\xff\xda", 40
#: Longer sides and qualities to try until a photo is small enough.
TRIES = ((SIDE, 82), (SIDE, 60), (1100, 60), (800, 40))
#: First bytes of HEIC, which phones make and few programs read.
HEIC = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")
#: What decoding raises of a file that is damaged, or made to be.
UNREADABLE = (
    OSError, SyntaxError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError,
    EOFError, MemoryError, StructError, Warning,
)  # fmt: skip


def cleaned(sent: bytes) -> bytes:
    """Encode a photo again as a small, upright JPEG without metadata; raise InvalidError."""
    if len(sent) > MOST_SENT:
        raise InvalidError.of("too-large", "photo", say("A photo has at most 2 MB."))
    if sent[4:12] in HEIC:
        raise InvalidError.of(
            "unknown-format", "photo", say("HEIC can’t be read here: send the photo as JPEG.")
        )
    return sandbox.run(encoded_again, sent, "photo")


def encoded_again(sent: bytes) -> bytes:
    try:
        picture = _decoded(sent)
    except Image.DecompressionBombError as error:
        message = say("This photo has too many pixels: make it smaller first.")
        raise InvalidError.of("too-large", "photo", message) from error
    except UNREADABLE as error:
        message = say("This can’t be read: send a photo as JPEG, PNG or WebP.")
        raise InvalidError.of("unknown-format", "photo", message) from error
    made = b""
    for side, quality in TRIES:
        made = _jpeg(picture, side, quality)
        if len(made) <= MOST_KEPT:
            break
    return made


def small(photo: bytes) -> bytes:
    """Scale a stored photo for a list."""
    with Image.open(BytesIO(photo), formats=FORMATS) as picture:
        return _jpeg(picture, SMALL, 75)


def _decoded(sent: bytes) -> Image.Image:
    """Decode a photo, scaled to `SIDE`, upright and on white."""
    with Image.open(BytesIO(sent), formats=FORMATS) as opened:
        if opened.width * opened.height > MOST_PIXELS or sent.count(SCAN) > MOST_SCANS:
            raise Image.DecompressionBombError
        opened.thumbnail((SIDE, SIDE))
        upright = ImageOps.exif_transpose(opened)
        white = Image.new("RGB", upright.size, "white")
        if upright.has_transparency_data:
            upright = upright.convert("RGBA")
            white.paste(upright, mask=upright)
        else:
            white.paste(upright.convert("RGB"))
        return white


def _jpeg(picture: Image.Image, side: int, quality: int) -> bytes:
    made, copy = BytesIO(), picture.copy()
    copy.thumbnail((side, side))
    copy.save(made, "JPEG", quality=quality, optimize=True)
    return made.getvalue()
