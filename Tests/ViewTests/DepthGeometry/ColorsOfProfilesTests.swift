import DepthGeometry
import DepthImages
import StereoPhotos
import Testing
import _TestSupport

@testable import PictureFiles

/// Photos with a color profile are converted for formats without profiles.
@Suite struct ColorsOfProfilesTests {
  /// sRGB's red in Display P3.
  private static let photo = Image(
    height: 8, width: 8, pixels: (0..<64).flatMap { _ -> [UInt8] in [234, 51, 35] },
    metadata: ImageMetadata(iccProfile: MadeUpProfile.displayP3))
  private static let depth = DepthMap(
    height: 8, width: 8, unit: .metres, values: [Float](repeating: 2, count: 64))

  private static func isRed(_ color: ArraySlice<UInt8>) -> Bool {
    color.count == 3 && zip(color, [255, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 2 }
  }

  @Test("clouds and meshes have colors converted to sRGB") func geometryIsInSRGB() throws {
    let camera = try Camera(of: Self.photo, focalLength: .fieldOfView(60))
    let cloud = try Self.depth.pointCloud(of: Self.photo, camera: camera)
    #expect(Self.isRed(cloud.colors.prefix(3)))
    let mesh = try Self.depth.mesh(of: Self.photo, camera: camera)
    #expect(Self.isRed(mesh.colors.prefix(3)) && Self.isRed(mesh.texture.pixels.prefix(3)))
    #expect(mesh.texture.metadata.iccProfile == nil)
  }

  @Test("a GIF is converted to sRGB, an animated PNG keeps its codes")
  func animationsAreInSRGB() throws {
    let gif = try PictureAnimation(frames: [Self.photo, Self.photo], delay: 0.1).gif()
    // The palette follows the header of 13 bytes.
    #expect(zip(gif[13..<16], [255, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 4 })
    // A PNG keeps the profile and the codes.
    let png = try PictureAnimation(frames: [Self.photo, Self.photo], delay: 0.1).animatedPNG()
    #expect(try Image(decoding: png).pixels.prefix(3) == [234, 51, 35])
  }
}
