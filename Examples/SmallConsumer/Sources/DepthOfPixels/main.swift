// Depth of a picture whose pixels are in memory, by the weights of the package or by those of Depth Anything V2 for rooms.
//   DepthOfPixels FILE.pfm [PRECISION [WEIGHTS]]
import Foundation
import MonocularDepth

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
  print("usage: DepthOfPixels FILE.pfm [PRECISION [WEIGHTS]]")
  exit(64)
}

do {
  // A floor that comes nearer towards the bottom, a wall, and a box before it.
  let (width, height) = (320, 240)
  var pixels: [UInt8] = []
  for y in 0..<height {
    for x in 0..<width {
      let isBox = (100..<190).contains(x) && (90..<190).contains(y)
      let wall = [190 - x / 4, 180 - x / 5, 160 - x / 6]
      let floor = [60 + y / 3, 50 + y / 4, 40 + (x + y) / 8 % 40]
      let color = isBox ? [150, 40 + y / 3, 30] : y < 130 ? wall : floor
      pixels += color.map { UInt8($0) }
    }
  }
  let picture = Image(height: height, width: width, pixels: pixels)

  guard let precision = Precision(rawValue: arguments.dropFirst().first ?? "auto") else {
    print("DepthOfPixels: there is no such precision")
    exit(64)
  }
  var weights = WeightsSelection.default
  if let file = arguments.dropFirst(2).first {
    weights = .file(URL(filePath: file))
    weights.kind = .indoor
  }
  let estimator = try DepthEstimator(weights, precision: precision)
  let depth = try estimator.depth(of: picture)
  try depth.write(to: URL(filePath: output))
  let range = depth.range() ?? (0, 0)
  print("\(depth.width)x\(depth.height), \(range.0) to \(range.1) m")
} catch {
  print("DepthOfPixels: \(error.localizedDescription)")
  exit(1)
}
