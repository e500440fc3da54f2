import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
import SystemEssentials

/// What is written of a depth map: the depth file, a picture of it, and the photo with its depth inside.
struct OutputOptions: ParsableArguments {
  @OptionGroup var depthFile: DepthFileOptions
  @OptionGroup var view: DepthViewOptions
  @OptionGroup var depthPhoto: DepthPhotoOptions
  @OptionGroup var png: CompressionOptions

  @Flag(help: .overwrite) var overwrite = false

  func validate() throws { try png.check(hasPNG: depthFile.isPNG || view.isPNG) }

  /// Refuses what does not go with the number of photos.
  ///
  /// - Throws: A validation error.
  func check(_ photos: PhotoSelection, json: Bool) throws {
    let isPiped = !photos.isMany && depthFile.writesToStandardOutput(photos.photos)
    try photos.check(output: isPiped ? "-" : depthFile.output, json: json, content: "depth map")
    try view.check(photos)
    try depthPhoto.check(photos)
  }

  /// Folders that outputs go to.
  var folders: [String?] { [depthFile.outputDir, view.folder] }

  /// The files that the options would write for these photos.
  ///
  /// - Parameter inputs: Other files that are read.
  func plan(for photos: [PhotoInput], inputs: [String] = []) -> OutputPlan {
    var plan = OutputPlan(inputs: photos.map(\.path) + inputs, overwrite: overwrite)
    plan.outputs = photos.flatMap { photo in
      let depth = OutputPlan.Output(
        file: depthFile.file(of: photo) ?? Console.standardOutput, photo: photo.path,
        makesFolder: depthFile.outputDir != nil)
      return [depth, view.output(of: photo, beside: depthFile), depthPhoto.output(of: photo)]
        .compactMap(\.self)
    }
    plan.folders = [depthFile.outputDir, view.newFolder].compactMap { $0.map { URL(filePath: $0) } }
    return plan
  }

  /// Fails for a kind of output that a map without distances does not have, before it is computed.
  ///
  /// - Parameters:
  ///   - unit: That of the map.
  ///   - photo: The photo, for the error.
  /// - Throws: `DepthError` with code `unknownUnit`.
  func checkDistances(_ unit: DepthMap.Unit, of photo: String) throws {
    guard unit == .relativeDisparity else { return }
    do {
      if view.linear { try unit.requireMetric(for: "--linear") }
      if depthPhoto.path != nil { try unit.requireMetric(for: "--depth-photo") }
    } catch { throw error.naming(photo) }
  }

  /// What is made of a photo, as far as it needs memory.
  var work: MemoryNeed.Work {
    view.isGiven || depthPhoto.path != nil ? .mapWithPicture : .map
  }

  /// A hint that a depth PNG looks black in a viewer; `nil` if a picture is written too, and for units whose values fill
  /// all 16 bits.
  func hint(for photo: PhotoInput, unit: DepthMap.Unit) -> String? {
    guard unit == .metres, !view.isGiven, depthPhoto.path == nil, depthFile.file(of: photo) != nil,
      (try? depthFile.format(of: photo)) == .png
    else { return nil }
    return "The depth file looks black in a viewer; add --view for a picture to look at."
  }

  /// Writes a map, its picture and the photo with its depth.
  ///
  /// - Parameters:
  ///   - clipped: See ``DepthFileOptions/clippedShare(of:photo:threads:)``.
  ///   - limits: The largest picture.
  /// - Returns: The files written, in this order.
  func write(
    _ depth: DepthMap, of image: Image, clipped: Double?, task: PhotoTask,
    metadata: DepthFileMetadata, limits: ImageLimits, threads: Int
  ) throws -> [String] {
    if let share = clipped {
      let percent = share < 1 ? "\(max((share * 1000).rounded() / 10, 0.1))" : "100"
      task.log(
        "\(percent) % of the map is beyond 65.535 m, the most that a PNG file holds; "
          + "--format pfm or npy has no limit")
    }
    return [
      try depthFile.write(
        depth, task: task, metadata: metadata, compression: png.compression, threads: threads),
      try view.write(
        depth, of: image, beside: depthFile, task: task, compression: png.compression,
        limits: limits, threads: threads),
      try depthPhoto.write(image, depth: depth, task: task, threads: threads),
    ].compactMap(\.self)
  }
}
