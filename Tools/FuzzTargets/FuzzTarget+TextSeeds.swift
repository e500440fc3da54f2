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
      FuzzSeed(
        2,
        #"{"width":64,"height":48,"focalLength":60.5,"rate":24,"cuts":[1],"frames":["#
          + Array(
            repeating:
              #"{"photo":"a.png","depth":"b.png","cameraToRoom":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}"#,
            count: 2
          ).joined(separator: ",") + "]}"),
    ]
  }

  func requestLines() -> [FuzzSeed] {
    [
      #"{"id":[1,{"a":null}],"input":"a\u00e9\ud83d\ude00.jpg","fov":6.3e1,"fill":true}"#,
      #" { "input" : "x" , "id" : -0.5E-10 } "#, "{}", #"{"":[[],{}],"a":"\/\b\f\n\r\t\"\\"}"#,
    ].map { FuzzSeed(Array($0.utf8)) }
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

  func settings() -> [FuzzSeed] {
    [
      FuzzSeed(
        0,
        #"{"format":"depth-calibration","version":1,"scale":1.5,"shift":-0.1,"refinement":"joint","#
          + #""weights_sha256":"a","points":[{"x":1,"y":2,"metres":2,"predicted_m":1,"calibrated_m":2}]}"#
      ),
      FuzzSeed(
        1,
        #"{"name":"joint","filter":{"back_projection":0.75,"detail":0.125,"edge_tolerance":1,"#
          + #""passes":2,"sharpening":2,"sigma_range":0.25,"sigma_spatial":1.5,"upsampling_sigma":0.5}}"#
      ),
      FuzzSeed(
        1, #"{"name":"bilateral","filter":{"radius":3,"sigma_range":0.5,"sigma_spatial":2}}"#),
      FuzzSeed(1, #"{"name":"gaussian","filter":{"radius":3,"sigma":1.5}}"#),
      FuzzSeed(
        2,
        #"{"amount":{"metric":{"baseline_m":0.5,"focal_length":{"field_of_view":60},"#
          + #""screen_distance_m":2}},"balance":0.5,"convergence":"automatic","#
          + #""edge_dilation":{"across":2,"down":1},"frame_edges":"fill","hole_filling":"blended","#
          + #""linear_in":"disparity","renderer":"scanline-shiftAndFix","threads":3}"#),
      FuzzSeed(2, #"{"amount":{"shift":0.01},"convergence":0.5,"renderer":"ordered-warp"}"#),
      FuzzSeed(
        3, #"{"quality":9,"animation_delay_s":0.5,"quilt_spread":2,"metadata":"essential"}"#),
      FuzzSeed(4, #""quilt-3x4""#), FuzzSeed(5, #"{"jpeg_quality":40,"chroma":"full"}"#),
      FuzzSeed(6, #"{"maximum_pixels":9,"maximum_bytes":5}"#),
      FuzzSeed(7, #"{"equivalent_35mm":26}"#),
      FuzzSeed(8, #"{"width":640,"height":480,"focal_length_px":525.5}"#),
      FuzzSeed(9, #""640x480""#), FuzzSeed(10, #"{"unit":"normalized-black","near_m":0.7}"#),
      FuzzSeed(13, #""disparity""#), FuzzSeed(14, #""without-location""#),
      FuzzSeed(15, #""nv12-bt709-full""#),
    ]
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
