import DepthEstimation
import Foundation

let estimator = try DepthEstimator()
let photo = try Image(contentsOf: URL(fileURLWithPath: "Examples/living-room.jpg"))
let depth = try estimator.depth(of: photo)  // 160 × 128 pixels, metres, larger is farther
if let (near, far) = depth.range { print("\(near) m to \(far) m") }
try depth.write(to: URL(fileURLWithPath: "depth.png"))  // 16-bit PNG, millimetres
