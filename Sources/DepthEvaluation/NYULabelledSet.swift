import DepthErrors
import DepthImages
package import HDF5Files

/// The labeled set of NYU Depth v2, `nyu_depth_v2_labeled.mat`, read frame by frame.
///
/// In a MATLAB 7.3 file, which is HDF5, all axes are reversed. `images` is 1449 × 3 × 640 × 480 (frame,
/// channel, column, row) with 8 bits; `depths`, the filled depth in metres, is 1449 × 640 × 480. The name of a
/// frame is its number, from 0.
package struct NYULabelledSet: EvaluationDataset {
  package let path: String
  package let frameNames: [String]
  package let incomplete: [SkippedFrame] = []
  private let indices: [Int]
  private let images, depths: HDF5Frames
  private let depthScale: Double?

  package var files: [String] { [path] }

  /// - Parameters:
  ///   - split: The part of the set. By default, the test frames of a file with 1449 frames, or all frames of
  ///     another file.
  ///   - depthScale: Values per metre, required for integers.
  /// - Throws: `DepthError` if the file is missing, truncated, damaged or not HDF5; code `damaged` or
  ///   `unknownUnit` for invalid content.
  package init(path: String, split: NYUSplit? = nil, depthScale: Double? = nil) throws {
    try self.init(HDF5File(path: path), split: split, depthScale: depthScale)
  }

  /// Creates the set of an open file; see ``init(path:split:depthScale:)``.
  ///
  /// - Throws: See ``init(path:split:depthScale:)``.
  package init(_ file: HDF5File, split: NYUSplit? = nil, depthScale: Double? = nil) throws {
    images = try HDF5Frames(file, "images")
    depths = try HDF5Frames(file, "depths")
    func unexpected(_ frames: HDF5Frames, _ expected: String) -> DepthError {
      let extents = ([frames.count] + frames.frameShape).map(String.init)
      return .unexpectedArray(
        file: file.name, name: frames.path, expected: expected,
        found: "\(extents.joined(separator: "×")) \(frames.type)")
    }
    let shape = images.frameShape
    guard shape.count == 3, shape[0] == 3, images.type == .integer(bits: 8, signed: false) else {
      throw unexpected(images, "frames×3×columns×rows uint8")
    }
    guard depths.frameShape == Array(shape[1...]), depths.count == images.count else {
      throw unexpected(depths, "\(images.count)×\(shape[1])×\(shape[2]) numbers")
    }
    if case .integer = depths.type, depthScale == nil {
      throw DepthError.unknownScale(file: file.name)
    }
    self.depthScale = depthScale
    let isWhole = images.count == NYUSplit.frameCount
    let split = split ?? (isWhole ? .test : .all)
    guard isWhole || split == .all else {
      throw unexpected(images, "\(NYUSplit.frameCount) frames, to which the split belongs")
    }
    indices = isWhole ? split.indices : Array(0..<images.count)
    frameNames = indices.map { String("0000\($0)".suffix(max(5, "\($0)".count))) }
    path = file.name
  }

  package func frame(_ index: Int) throws -> EvaluationFrame {
    let (width, height) = (images.frameShape[1], images.frameShape[2])
    let planes = try images.bytes(ofFrame: indices[index])
    var depth = try depths.floats(ofFrame: indices[index])
    if let depthScale { depth = scaled(depth, by: 1 / depthScale) }
    return try EvaluationFrame(
      name: frameNames[index],
      photo: Image(
        height: height, width: width,
        pixels: axesReversed(planes, planes: 3, rows: width, columns: height)),
      truth: DepthMap(
        height: height, width: width, unit: .metres,
        values: axesReversed(depth, planes: 1, rows: width, columns: height)))
  }
}
