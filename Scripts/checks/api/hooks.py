"""Six photos for the bodies of the requests that schemathesis makes."""

import io

import schemathesis
from hypothesis import strategies
from PIL import Image


def photo(width, height, form, mode="RGB"):
    image = Image.linear_gradient("L").resize((width, height)).convert(mode)
    file = io.BytesIO()
    image.save(file, form)
    return file.getvalue()


jpegs = [photo(64, 48, "JPEG"), photo(33, 71, "JPEG", "L"), photo(160, 120, "JPEG", "CMYK")]
pngs = [photo(40, 40, "PNG"), photo(21, 64, "PNG", "RGBA")]
webps = [photo(48, 32, "WEBP")]

schemathesis.openapi.media_type("image/jpeg", strategies.sampled_from(jpegs))
schemathesis.openapi.media_type("image/png", strategies.sampled_from(pngs))
schemathesis.openapi.media_type("image/webp", strategies.sampled_from(webps))
schemathesis.openapi.media_type("application/octet-stream", strategies.sampled_from(jpegs + pngs + webps))
schemathesis.openapi.format("binary", strategies.sampled_from(jpegs + pngs + webps))
