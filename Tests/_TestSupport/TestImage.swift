public import DepthImages

/// A colorful picture that is made only with integers: gradient, tiles and noise, 0…245.
public func testImage(height: Int, width: Int) -> Image {
  let tiles = CounterStream("image/tile")
  let noise = CounterStream("image/noise")
  var pixels = [UInt8](repeating: 0, count: height * width * 3)
  for y in 0..<height {
    for x in 0..<width {
      for c in 0..<3 {
        let gradient = x * (96 + 32 * c) / width + y * (128 - 32 * c) / height
        let tile = Int(tiles[((y / 19 % 16) * 16 + x / 23 % 16) * 3 + c] % 112)
        let i = (y * width + x) * 3 + c
        pixels[i] = UInt8(gradient / 2 + tile + Int(noise[i] % 24))
      }
    }
  }
  return Image(height: height, width: width, pixels: pixels)
}

/// The network input of the published NYU Depth v2 evaluation for a frame of 640×480. It has every
/// second pixel of every second row, from the second on. Only the middle 304×228 remain.
public func nyuInput(_ frame: Image) -> Image {
  precondition(
    frame.height == 480 && frame.width == 640,
    "frame is \(frame.width)×\(frame.height), expected 640×480")
  let (height, width) = (228, 304)
  var pixels: [UInt8] = []
  for y in 0..<height {
    for x in 0..<width {
      let source = ((2 * (y + 6) + 1) * frame.width + 2 * (x + 8) + 1) * 3
      pixels += frame.pixels[source..<source + 3]
    }
  }
  return Image(height: height, width: width, pixels: pixels)
}
