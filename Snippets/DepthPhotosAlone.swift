// The product DepthPhotos needs no other import.
import DepthPhotos

func depthInside(_ portrait: [UInt8]) throws -> DepthMap {
  let depth = try DepthPhoto.depth(decoding: portrait, name: "portrait.jpg")
  return depth
}

func portrait(_ photo: Image, depth: DepthMap) throws -> [UInt8] {
  let jpeg = try DepthPhoto.encode(photo, depth: depth, as: .dynamicDepth)
  return jpeg
}
