import DepthEstimation
import Foundation

let estimator = try DepthEstimator()
let photo = try Image(contentsOf: URL(fileURLWithPath: "Examples/living-room.jpg"))
let depth = try estimator.depth(of: photo)  // metres, as the program writes them
if let (near, far) = depth.range() { print("\(near) m to \(far) m") }
