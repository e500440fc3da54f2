import DepthEstimation
import Foundation

let estimator = try DepthEstimator()
let photo = try Image(contentsOf: URL(fileURLWithPath: "Examples/living-room.jpg"))
let depth = try estimator.depth(of: photo).refined(guidedBy: photo)  // the program's map, in metres
if let (near, far) = depth.range { print("\(near) m to \(far) m") }
try depth.write(to: URL(fileURLWithPath: "depth.png"))  // 16-bit PNG, millimetres
