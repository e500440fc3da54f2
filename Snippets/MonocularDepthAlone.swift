// The product MonocularDepth needs no other import.
import MonocularDepth

func metres(in photo: [UInt8], x: Int, y: Int) throws -> Float? {
  let options = DepthOptions(camera: .focalLength(.equivalent35mm(26)))
  let depth = try DepthEstimator().depth(of: Image(decoding: photo), options: options)
  return depth[x: x, y: y]
}
