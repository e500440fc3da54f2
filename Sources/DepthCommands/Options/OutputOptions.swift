import ArgumentParser
import DepthImages

/// The output files of a depth map: the depth file, a picture of the map, and the photo with embedded depth.
struct OutputOptions: ParsableArguments {
  @OptionGroup var depthFile: DepthFileOptions
  @OptionGroup var view: DepthViewOptions
  @OptionGroup var normals: NormalsOptions
  @OptionGroup var depthPhoto: DepthPhotoOptions
  @OptionGroup var png: CompressionOptions

  @Flag(help: .overwrite) var overwrite = false

  func validate() throws {
    var depth = depthFile.value(png.compression)
    try normals.check(depth)
    let hasPNG = [
      depth.isPNG, view.output(of: depth, ImageLimits())?.isPNG,
      normals.output(of: &depth)?.isPNG,
    ].contains(true)
    try png.check(hasPNG: hasPNG)
  }

  /// - Parameters:
  ///   - limits: The limits on pictures.
  ///   - estimated: Outputs that require an estimate.
  func outputs(_ limits: ImageLimits, _ estimated: [any MapOutput] = []) -> MapOutputs {
    var depth = depthFile.value(png.compression)
    let normals = normals.output(of: &depth)
    let others: [(any MapOutput)?] = [view.output(of: depth, limits), normals, depthPhoto.output]
    return MapOutputs(
      depth: depth, others: others.compactMap(\.self) + estimated, overwrite: overwrite)
  }
}
