"""Photos for tests, made as phones make them, and files that only look like photos."""

from io import BytesIO

from PIL import Image

#: What a phone writes into a photo: where and on what it was taken, which side is up, and a remark.
PLACE, MAKER, REMARK = (45.0, 27.0, 53.04), "Nokia of Ada", b"at Ada's, behind the bar"
GPS, LATITUDE, MAKE, ORIENTATION = 0x8825, 2, 0x010F, 0x0112
TURNED = 6


def photo(size: tuple[int, int] = (640, 480), kind: str = "JPEG", **saved: object) -> bytes:
    """Make a photo: green above, red below."""
    made, picture = BytesIO(), Image.new("RGB", size, "green")
    picture.paste("red", (0, size[1] // 2, *size))
    picture.save(made, kind, **saved)
    return made.getvalue()


def of_a_phone(size: tuple[int, int] = (2400, 1800)) -> bytes:
    """Make a photo that lies on its side, and tells where it was taken."""
    exif = Image.Exif()
    exif[MAKE], exif[ORIENTATION] = MAKER, TURNED
    exif.get_ifd(GPS).update({1: "N", LATITUDE: PLACE})
    return photo(size, exif=exif, comment=REMARK)


def bomb() -> bytes:
    """Make a file of some kilobytes that would be 400 million pixels."""
    made = BytesIO()
    Image.new("1", (20_000, 20_000)).save(made, "PNG")
    return made.getvalue()


def many_scans() -> bytes:
    """Make a JPEG that takes a hundred times as long as it looks."""
    whole = photo(progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * 50 + whole[-2:]


def animated() -> bytes:
    """Make a picture that moves."""
    made = BytesIO()
    Image.new("P", (9, 9)).save(
        made, "GIF", save_all=True, append_images=[Image.new("P", (9, 9), 1)]
    )
    return made.getvalue()


#: What is sent in the place of a photo, and the code that it is refused with.
NO_PHOTOS = {
    "text": (b"Dear Ada, this is no photo.", "unknown-format"),
    "script": (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "unknown-format"),
    "moving": (animated(), "unknown-format"),
    "cut off": (photo()[:-900], "unknown-format"),
    "head alone": (photo()[:20], "unknown-format"),
    "HEIC": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "unknown-format"),
    "TIFF": (photo(kind="TIFF"), "unknown-format"),
    "bomb": (bomb, "too-large"),
    "many scans": (many_scans(), "too-large"),
    "heavy": (photo() + bytes(2_000_000), "too-large"),
}
