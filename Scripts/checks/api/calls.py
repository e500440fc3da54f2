"""Five calls of a server by the client that openapi-python-client generates from its description; PYTHONPATH has the client.

Without an Accept header of its own, the client must decode each answer as the description says.
"""

import io
import sys

from client.api.default import depth, effect, export, facts, stereo
from client.client import Client
from client.models import EffectEffect, ExportFormat, FactsFilesBody, StereoFormat
from client.types import File
from hooks import photo

server = Client(base_url=sys.argv[1].rstrip("/"), raise_on_unexpected_status=True)
jpeg = photo(96, 64, "JPEG")


def body() -> File:
    return File(payload=io.BytesIO(jpeg), file_name="photo.jpg", mime_type="image/jpeg")


def checked(name: str, is_right: bool) -> None:
    if not is_right:
        sys.exit(f"check-api: the generated client's {name} is wrong")


def begins(answer: object, magic: bytes) -> bool:
    return isinstance(answer, File) and answer.payload.read(len(magic)) == magic


known = facts.sync(client=server, body=FactsFilesBody(photo=body()), focal_length="26.5mm")
checked("facts", (known.width, known.height) == (96, 64) and 0 < known.near_m < known.far_m)
checked("map", begins(depth.sync(client=server, body=body(), resolution="1280x720"), b"\x89PNG"))
pair = stereo.sync(client=server, body=body(), format_=StereoFormat.ANAGLYPH, baseline="0.063m", screen_distance="1.85m", fov=65)
checked("stereo photo", begins(pair, b"\xff\xd8"))
cutout = effect.sync(client=server, body=body(), effect=EffectEffect.CUTOUT, focus="nearest")
checked("cut-out", begins(cutout, b"\x89PNG"))
checked("mesh", begins(export.sync(client=server, body=body(), format_=ExportFormat.GLB), b"glTF"))
print("check-api: 5 calls of a generated client")
