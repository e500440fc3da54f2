import DepthImages
import PictureFiles
import SystemEssentials

extension FuzzTarget {
  func frameStreams() throws -> [FuzzSeed] {
    let pixels = [UInt8](repeating: 90, count: 24 * 16 * 3)
    if self == .rawFrames {
      return [
        FuzzSeed([0, 0x46] + pixels.prefix(72 * 2)), FuzzSeed([1, 0x31] + pixels.prefix(12)),
      ]
    }
    let jpeg = try Self.image.encoded(as: .jpeg())
    func stream(_ header: String, _ count: Int) -> FuzzSeed {
      FuzzSeed(Array(header.utf8) + pixels.prefix(count))
    }
    return [
      stream(
        "YUV4MPEG2 W24 H16 F30:1 Ip A1:1 C444 XCOLORRANGE=FULL XCOLORMATRIX=BT709\nFRAME\n", 1152),
      stream("YUV4MPEG2 W24 H16 F25:1 C420jpeg\nFRAME Ip\n", 576),
      stream("YUV4MPEG2 W23 H16 C411\nFRAME\n", 23 * 16 + 2 * 6 * 16),
      stream("YUV4MPEG2 W16 H16 C444alpha\nFRAME\n", 1024),
      stream("YUV4MPEG2 W24 H16 Cmono\nFRAME\n", 24 * 16),
      stream("P6 24 16 # a comment\n255\n", 1152), stream("P6 24 16 31\n", 1152),
      stream("P5\n24 16\n65535\n", 24 * 16 * 2), FuzzSeed(jpeg + [0, 0] + jpeg),
    ]
  }

  func dataSets() -> [FuzzSeed] {
    [
      FuzzSeed(
        0, "# time photo time depth\n1.25 rgb/1.png 1.26 depth/1.png\n2,rgb/2.png,2,depth/2.png\n"),
      FuzzSeed(
        1, "1305031102.175304 rgb/a.png\n2.5 b.png\n\0# depth\n1305031102.16 d/a.png\n2.51 d.png\n"),
    ]
  }

  func requests() -> [FuzzSeed] {
    let host = "Host: 127.0.0.1\r\n"
    return [
      "GET /healthz?a=%C3%A9+b&c HTTP/1.1\r\n\(host)Origin: http://127.0.0.1\r\n\r\n",
      "POST /v1/depth HTTP/1.1\r\n\(host)Content-Length: 5\r\nExpect: 100-continue\r\n\r\nhello"
        + "HEAD /light HTTP/1.1\nHost: localhost:80\nAccept: a/b;q=0.5\n\n",
      "POST /parts HTTP/1.0\r\nHost: [::1]\r\nSec-Fetch-Site: same-origin\r\n\r\n",
      "POST /v1/depth HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n",
    ].map { FuzzSeed(Array($0.utf8)) }
  }

  func chunkedBodies() -> [FuzzSeed] {
    [
      FuzzSeed(1, "5\r\nhello\r\n0\r\n\r\n"), FuzzSeed(7, "0\r\n\r\n"),
      FuzzSeed(45, "a;name=\"value\"\r\n0123456789\r\n0003\r\nabc\r\n000\r\n\r\nGET / HTTP/1.1"),
    ]
  }

  func calibrations() -> [FuzzSeed] {
    [
      #"{"format":"depth-calibration","version":1,"scale":1.5,"shift":-0.1,"refinement":"joint","#
        + #""weights_sha256":"a","points":[{"x":1,"y":2,"metres":2,"predicted_m":1,"calibrated_m":2}]}"#,
      #"{"format":"depth-calibration","version":2,"map_unit":"relative-disparity","scale":2,"shift":0,"#
        + #""points":[{"x":1,"y":2,"metres":2,"predicted_disparity":1,"calibrated_m":2,"left_out":true}],"#
        + #""fit":{"points":3,"left_out":1,"rms_m":0.5,"median_error_m":0.25}}"#,
    ].map { FuzzSeed(Array($0.utf8)) }
  }

  func texts() -> [FuzzSeed] {
    [
      FuzzSeed(0, "door:0.2,0,0.6,0,0.6,1,0.2,1"), FuzzSeed(1, "8x6"), FuzzSeed(2, "640x480"),
      FuzzSeed(3, "30000:1001"), FuzzSeed(4, "millimetre"), FuzzSeed(5, "20x10"),
      FuzzSeed(6, "anaglyph-red-cyan"),
      FuzzSeed(7, "YUV4MPEG2 W24 H16 F30:1 Ip A1:1 C422"),
    ]
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
