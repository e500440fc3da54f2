// The product StereoPhotos needs no other import.
import StereoPhotos

func anaglyph(_ photo: [UInt8], depth: [UInt8]) throws -> [UInt8] {
  let (photo, depth) = (try Image(decoding: photo), try DepthMap(decoding: depth))
  let pair = try photo.stereoPair(depth: depth, maximumShift: 0.01)
  return try pair.anaglyph(.redCyan).encoded(as: .png)
}

func phoneFile(_ photo: Image, depth: DepthMap) throws -> [UInt8] {
  try photo.stereoFiles(as: .sideBySideHalf, depth: depth)[0].bytes
}
