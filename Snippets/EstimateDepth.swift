// snippet.show
import DepthEstimation
// The README's program: a photo in, a depth map in metres out.
// snippet.hide
import Foundation

let photoPath = CommandLine.arguments.dropFirst().first ?? "Examples/living-room.jpg"
let url = URL(fileURLWithPath: photoPath)
let output = URL(fileURLWithPath: "depth.png")

let estimator = try DepthEstimator()
let photo = try Image(contentsOf: url)
let depth = try estimator.depth(of: photo)  // 128 × 160, metres, larger is farther
if let (near, far) = depth.range { print("\(near) m to \(far) m") }
try depth.write(to: output)  // 16-bit PNG, millimetres
