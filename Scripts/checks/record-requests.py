#!/usr/bin/env python3
"""Records what `depth serve` answers to some 500 requests, right and wrong, or compares two such records.

    Scripts/checks/record-requests.py PROGRAM > answers.jsonl
    Scripts/checks/record-requests.py --compare before.jsonl after.jsonl

A line has the request, the answer's status, type and content (a checksum of pixels, a page or bytes, or JSON less
times and `request`), and the text of an error. A comparison fails where anything but such texts differs, and lists
those. Needs Pillow.
"""
import hashlib
import importlib
import io
import json
import pathlib
import re
import socket
import subprocess
import sys

from PIL import Image

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "Scripts/lib"))
digests = importlib.import_module("content-digests")
TOKEN = "0123456789abcdef"

# By route: a body and the parameters of each request; `-` for none. ID and GONE are photos in the server.
QUERIES = {
    "/v1/depth": """exif - fill fill=true fill=false fill=maybe fill= fill&fill fill=false&fill=true %66ill=true fill=%ZZ focal-length=26mm
        focal-length=525px focal-length=exif focal-length=none focal-length=wide focal-length= focal-length focal-length=-3mm focal-length=1e9mm
        focal-length=26+mm focal-length=26mm&focal-length=27mm focal_length=26mm focal-lengt=26mm focalLength=26mm fov=60 fov=0 fov=180 fov=x
        fov=nan fov=60&focal-length=26mm refine=joint refine=bilateral refine=gaussian refine=none refine=sharp detail=0.9 detail=2
        detail=.5&refine=none resolution=photo resolution=network resolution=64x48 resolution=64x resolution=40000x2 resolution=0x0
        refine=none&resolution=photo min-confidence=0.8 min-confidence=1.5 min-confidence=0.8&fill calibration-factor=1.18 calibration-factor=0
        calibration-factor=1e3 compression=fast compression=small compression=best output=x.png help help=true threads=2 json weights=compact
        quality=90 photo=ID draft format=png FILL &&fill&& =1 fill=true&fov=70&refine=joint&detail=0.3&resolution=80x60&compression=fast""",
    "/v1/depth ": "plain focal-length=exif",
    "/v1/stereo": """exif - format=sbs format=sbs-half format=tb format=tab format=tb-half format=cross-eyed format=left format=right
        format=left-right format=anaglyph format=anaglyph-red-cyan format=rows format=columns format=wiggle format=gif format=mpo format=quilt
        format=holes format=cube format= format=left&format=right shift=2% shift=-0.02 shift=30% shift=much baseline=63mm
        baseline=63mm&screen-distance=2.5m screen-distance=2 screen-distance=-2 shift=1%&baseline=63mm shift=1%&screen-distance=2m convergence=0.3
        convergence=auto convergence=2 convergence=0.3&screen-distance=2m convergence=auto&screen-distance=2m balance=0 balance=1.5
        balance=0&format=gif renderer=gather renderer=warp renderer=shiftAndFix renderer=none renderer=gather&balance=0.2
        renderer=gather&baseline=63mm&screen-distance=2m renderer=gather&format=gif hole-filling=stretched hole-filling=none frame-edges=crop
        frame-edges=flat frame-edges=round frame-edges=crop&format=wiggle dilation=2x1 dilation=0x0 dilation=99x1 max-parallax=1% max-parallax=0
        views=5&format=gif views=5 views=1&format=gif animation-width=64&format=wiggle animation-width=8&format=gif quilt=3x2&format=quilt quilt=3x2
        quilt=1x1&format=quilt shift=20%&format=quilt lossless lossless&format=gif lossless&compression=fast compression=fast quality=40 quality=0
        quality=40&lossless keep-location strip-metadata keep-location&strip-metadata output=x.jpg output-dir=x overwrite focal-length=28mm
        focal-length=28mm&screen-distance=2m photo=ID photo=ID&draft photo=ID&draft=no photo=GONE photo= draft photo=ID&photo=ID
        photo=ID&format=anaglyph&shift=2% refine=none max-pixels=900
        depth=network depth=embedded depth=map.png photo=ID&depth=embedded""",
    "/v1/stereo ": "plain screen-distance=2m screen-distance=2m&fov=70",
    "/v1/effect": """exif - effect= effect=glow effect=blur effect=blur&effect=haze effect=blur&focus=1.8m effect=blur&focus=180cm
        effect=blur&focus=nearest effect=blur&focus=0.4 effect=blur&focus=2 effect=blur&focus=near effect=blur&focus-at=20,30
        effect=blur&focus-at=9999,0 effect=blur&focus-at=2 effect=blur&focus=.5&focus-at=1,1 effect=blur&focus=.5&aperture=f/1.8
        effect=blur&focus=.5&aperture=2.8&lens=85mm effect=blur&focus=.5&aperture=f effect=blur&focus=.5&lens=85mm effect=blur&focus=.5&radius=2%
        effect=blur&focus=.5&radius=50% effect=blur&focus=.5&aperture=2&radius=1% effect=blur&focus=.5&blades=5&rotation=20
        effect=blur&focus=.5&blades=2 effect=blur&focus=.5&rotation=20 effect=blur&focus=.5&blades=6&rotation=400 effect=blur&focus=.5&style=mask
        effect=blur&focus=.5&style=mask&slope=8&width=.2&scaling=bicubic effect=blur&focus=.5&style=oil effect=blur&focus=.5&style=mask&aperture=2
        effect=blur&focus=.5&slope=8 effect=blur&focus=.5&density=1 effect=haze effect=haze&density=0.5 effect=haze&density=-1
        effect=haze&strength=0.5 effect=haze&strength=2 effect=haze&density=.5&strength=.5 effect=haze&focus=.5 effect=mask&focus=.5
        effect=mask&focus=.5&16-bit effect=mask&focus=.5&16-bit=maybe effect=mask&focus=.5&slope=8&width=0 effect=mask&focus=.5&slope=0
        effect=mask&focus=.5&width=99 effect=mask&focus=.5&scaling=cubic effect=mask&focus=.5&compression=small effect=mask&focus=.5&quality=50
        effect=mask&focus=.5&strip-metadata effect=spotlight&focus=.5 effect=spotlight&focus=.5&16-bit effect=highlight&focus=.5&slope=3
        effect=highlight effect=haze&quality=30 effect=haze&quality=101 effect=haze&compression=fast effect=haze&lossless effect=haze&keep-location
        effect=haze&strip-metadata effect=haze&fov=50 effect=haze&fov=200 effect=haze&max-pixels=900 effect=haze&max-pixels=0
        effect=haze&max-pixels=many effect=blur&focus-at=20,30&max-pixels=900 effect=haze&photo=ID effect=haze&photo=ID&draft
        effect=haze&photo=ID&max-pixels=900 effect=haze&photo=GONE effect=haze&photo=ID&quality=60 effect=mask&photo=ID&focus=.5 effect=haze&draft
        effect=haze&refine=none""",
    "/v1/effect ": "plain effect=blur&focus=.5&aperture=f/1.8",
    "/v1/export": """exif - format=glb format=ply format=html format=obj format=stl kind=mesh kind=cloud kind=solid format=ply&kind=mesh
        format=html&kind=mesh format=html&lossless format=ply&lossless lossless lossless&quality=50 quality=50 quality=0 format=ply&quality=50
        format=html&quality=50 edge-threshold=0.1 edge-threshold=2 flying-pixels=drop flying-pixels=keep flying-pixels=fly
        flying-pixels=keep&edge-threshold=.1 simplify=0 simplify=-1 simplify=2 simplify=2&kind=cloud format=html&simplify=2
        format=html&flying-pixels=drop refine=none refine=bilateral&fill resolution=80x60 detail=.9 min-confidence=.7 calibration-factor=1.2
        focal-length=26mm fov=60 output=x.glb output-dir=x overwrite compression=fast photo=ID format=ply&format=glb
        depth=auto depth=embedded&min-confidence=.7""",
    "/v1/photos": "exif - focal-length=26mm fov=60 fov=500 focal-length=exif refine=none photo=ID calibration-factor=2",
    "/v1/photos ": "plain - focal-length=exif",
}
TYPES = ["image/png", "application/x-npy", "image/x-portable-floatmap", "application/json", "image/x-exr", "image/*", "*/*",
         "image/png;q=.1, application/json", "text/html", "image/jpeg", "application/x-ndjson", "model/gltf-binary", "gif", ""]
# Method, address, body, headers.
OTHERS = [(method, path, "none", []) for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") for path in (
    "/", "/healthz", "/example.jpg", "/favicon.ico", "/v1/depth", "/v1/photos/ID/depth", "/v1/photos/ID/confidence", "/x")]
OTHERS += [("GET", path, "none", []) for path in (
    "/armchair.jpg", "/doorway.jpg", "/v1/photos/GONE/depth", "/v1/photos/GONE/confidence", "/v1/photos/ID", "/v1/depth/",
    "/healthz?x=1", "/v1/photos/ID/depth?x=1", "/v1/../healthz", "/%68ealthz", "/health%ff", "/healthz#x")]
OTHERS += [("POST", "/v1/" + route, "exif", [f"Accept: {kind}"]) for kind in TYPES for route in (
    "depth", "stereo", "effect?effect=haze", "effect?effect=mask&focus=.5", "export")]
OTHERS += [("POST", path, body, []) for path in ("/v1/depth", "/v1/effect?effect=haze", "/v1/photos") for body in (
    "empty", "text", "cut", "turned", "png", "png16", "alpha", "gray", "gif", "wide")]
OTHERS += [("POST", "/v1/depth", "form " + form, []) for form in (
    "a:filename", "photo", "file", "image", "picture", "photo,file", "fov:60,a:filename", "fill:true,photo", "fov:0,photo",
    "comment:hello,a:filename", "a:filename,fov:60", "a:filename,b:filename", "photo:60", "a:cut", "")]
OTHERS += [("POST", "/v1/depth", "exif", [line]) for line in (
    "Content-Type: image/jpeg", "Content-Type: text/plain", "Content-Type: multipart/form-data", "Content-Encoding: gzip",
    "Content-Type: multipart/form-data; boundary=x", "Content-Type: application/json", "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip", "Origin: http://example.com", "Sec-Fetch-Site: cross-site", "Host: example.com", "Host:", "Host!",
    "Content-Length: 3", "Content-Length: -3", "Content-Length: 99999999999", "Expect: 100-continue", "no header")]
OTHERS += [("POST", "/v1/depth", "chunks " + kind, []) for kind in ("good", "extension", "trailer", "short", "empty")]
GUARDED = [(method, path, body, line) for line in ([], [f"Authorization: Bearer {TOKEN}"], ["Authorization: Bearer wrong"])
           for method, path, body in (("GET", "/healthz", "none"), ("POST", "/v1/depth", "exif"), ("POST", "/v1/depth", "wide"),
                                      ("POST", "/v1/depth", "long"), ("POST", "/v1/photos", "exif"))]


def bodies():
    with Image.open(root / "Examples/living-room.jpg") as photo:
        small = photo.resize((96, 72))
    exif, turned = Image.Exif(), Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26
    turned[0x0112] = 6

    def file(picture, kind, **options):
        data = io.BytesIO()
        picture.save(data, kind, **options)
        return data.getvalue()
    gray16 = small.convert("L").convert("I").point(lambda value: value * 257).convert("I;16")
    made = {"plain": file(small, "JPEG"), "exif": file(small, "JPEG", exif=exif), "turned": file(small, "JPEG", exif=turned),
            "png": file(small, "PNG"), "png16": file(gray16, "PNG"), "gray": file(small.convert("L"), "JPEG"),
            "alpha": file(small.convert("RGBA"), "PNG"), "gif": file(small, "GIF"), "empty": b"", "none": None,
            "text": b"no photo", "wide": file(small.resize((400, 30)), "JPEG"), "long": bytes((1 << 20) + 1)}
    made["cut"] = made["exif"][:len(made["exif"]) // 2]
    return made


def form(parts):
    """A form with parts `name` and `name:filename`, which are photos, and `name:TEXT`."""
    data = b""
    for name, _, kind in (part.partition(":") for part in parts.split(",") if part):
        file = '; filename="p.jpg"' if kind in ("filename", "cut") else ""
        data += f'--limit\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode()
        data += BODIES["exif"] if kind in ("", "filename", "cut") else kind.encode()
        data += b"" if kind == "cut" else b"\r\n"
    return data if parts.endswith(":cut") else data + b"--limit--\r\n"


def chunks(kind):
    photo = b"" if kind == "empty" else BODIES["exif"]
    parts = [photo[i:i + 1000] for i in range(0, len(photo), 1000)]
    size = ";name=value" if kind == "extension" else ""
    data = b"".join(f"{len(part):x}{size}\r\n".encode() + part + b"\r\n" for part in parts)
    return data if kind == "short" else data + b"0\r\n" + (b"Digest: x\r\n" if kind == "trailer" else b"") + b"\r\n"


def send(port, method, path, body, lines):
    """Status, headers and body of an answer; status 0 for a connection that is closed without one."""
    headers = {"host": f"Host: 127.0.0.1:{port}", "connection": "Connection: close"}
    kind, _, rest = body.partition(" ")
    data = form(rest) if kind == "form" else chunks(rest) if kind == "chunks" else BODIES[body]
    if kind == "form":
        headers["content-type"] = "Content-Type: multipart/form-data; boundary=limit"
    if kind == "chunks":
        headers["transfer-encoding"] = "Transfer-Encoding: chunked"
    elif data is not None:
        headers["content-length"] = f"Content-Length: {len(data)}"
    for line in lines:
        headers[line.split(":")[0].rstrip("!").lower()] = line
    head = "\r\n".join([f"{method} {path} HTTP/1.1"] + [line for line in headers.values() if not line.endswith("!")])
    with socket.create_connection(("127.0.0.1", port), 60) as client:
        answer = b""
        try:
            client.sendall(head.encode() + b"\r\n\r\n" + (data or b""))
            if body == "chunks short":
                client.shutdown(socket.SHUT_WR)
            while part := client.recv(1 << 20):
                answer += part
        except ConnectionError:
            pass  # The answer to a body that is refused comes first.
    while True:
        head, _, answer = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        status = int(first.split()[1]) if first else 0
        if not 100 <= status < 200:
            return status, {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}, answer


def content(kind, data):
    if kind == "application/x-ndjson":
        data = data.strip().split(b"\n")[-1]  # The lines before tell the progress.
    if kind in ("application/json", "application/x-ndjson"):
        value = digests.without_times(json.loads(data))
        value.pop("id", None)
        if "data" in value:
            value["data"] = digests.pixels(digests.base64.b64decode(value["data"]))
        return value
    if kind.startswith("text/html"):
        return digests.page(re.sub(rb'nonce="[^"]*"', b"", data))  # A page has its own at each request.
    if kind.startswith("image/") and "x-" not in kind:
        return digests.pixels(data)
    return hashlib.sha256(data).hexdigest()


def record(arguments, requests, prefix=""):
    command = [sys.argv[1], "serve", "--port", "0", "--quiet", "--weights", "compact", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = int(server.stdout.readline().split("/")[2].split(":")[1])
            kept = {"GONE": "0" * 64}
            if not arguments:
                kept["ID"] = json.loads(send(port, "POST", "/v1/photos", "exif", [])[2].strip().split(b"\n")[-1])["id"]
            for method, path, body, lines in requests:
                target = re.sub("%(?![0-9A-Za-z]{2})", "%25", path)
                for name, id in kept.items():
                    target = target.replace(f"photo={name}", f"photo={id}").replace(f"/{name}", f"/{id}")
                status, headers, data = send(port, method, target, body, lines)
                kind = headers.get("content-type", "")
                answer = {"request": " ".join([prefix + method, path, body, *lines]), "status": status, "type": kind}
                answer |= {name: headers[name] for name in ("allow", "www-authenticate") if name in headers}
                try:
                    answer["content"] = content(kind, data) if data else None
                except (ValueError, OSError) as error:
                    answer["content"] = f"{error}: {hashlib.sha256(data).hexdigest()}"
                if isinstance(answer["content"], dict) and "error" in answer["content"]:
                    answer["message"] = answer["content"].pop("error")
                print(json.dumps(answer, sort_keys=True))
        finally:
            server.terminate()


def compare(before, after):
    before, after = ({line["request"]: line for line in map(json.loads, open(path))} for path in (before, after))
    wrong = 0
    for request in sorted(before.keys() | after.keys()):
        old, new = before.get(request, {}), after.get(request, {})
        if {**old, "message": 0} != {**new, "message": 0}:
            wrong += 1
            print(f"DIFFERENT {request}\n    before {json.dumps(old)}\n    after  {json.dumps(new)}")
        elif old.get("message") != new.get("message"):
            print(f"message   {request}\n    before {old.get('message')}\n    after  {new.get('message')}")
    print(f"{len(before)} requests before, {len(after)} after, {wrong} with different answers")
    return wrong > 0


if sys.argv[1] == "--compare":
    sys.exit(compare(*sys.argv[2:]))
BODIES = bodies()
QUESTIONS = [("POST", route.strip() + ("" if query == "-" else "?" + query), body, [])
             for route, (body, *queries) in ((route, text.split()) for route, text in QUERIES.items()) for query in queries]
record([], QUESTIONS + OTHERS)
record(["--token", TOKEN, "--max-pixels", "8000", "--max-megabytes", "1"], GUARDED, "guarded ")
