package import DepthBase
package import DepthImages

/// An array of an `.npz` archive, with its name in Python.
package struct NamedArray: Sendable {
  let name: String
  /// Creates the array's file during writing of the archive, so that only one such file is in memory at a time.
  let content: @Sendable () throws -> [UInt8]

  /// An array of 32-bit floats, row by row.
  ///
  /// - Parameters:
  ///   - shape: Height and width, and the numbers per pixel if there are several.
  ///   - isPositive: Whether only positive finite numbers are values. Other numbers are written as NaN.
  ///   - values: As many numbers as the shape has.
  package static func floats(
    _ name: String, shape: [Int], isPositive: Bool = false,
    _ values: @escaping @Sendable () throws -> [Float]
  ) -> NamedArray {
    let width = shape.dropFirst().reduce(1, *)
    return NamedArray(name: name) {
      let grid = FloatGrid(
        height: shape[0], width: width, values: try values(), isPositive: isPositive)
      return NPY.encode(grid, shape: shape)
    }
  }

  /// A text in the format of a `str` in `numpy.savez`: UTF-32 in an array without axes.
  static func text(_ name: String, _ text: String) -> NamedArray {
    NamedArray(name: name) {
      NPY.header("<U\(text.unicodeScalars.count)", shape: [])
        + text.unicodeScalars.flatMap { [UInt8](littleEndian: $0.value) }
    }
  }

  /// The camera matrix K for a map of its picture: 3 × 3 64-bit floats; see `Camera.matrix(height:width:)`.
  package static func intrinsics(of camera: Camera, height: Int, width: Int) -> NamedArray {
    NamedArray(name: "intrinsics") {
      let matrix = camera.matrix(height: height, width: width)
      return NPY.header("<f8", shape: [3, 3])
        + matrix.flatMap { [UInt8](littleEndian: $0.bitPattern) }
    }
  }
}

extension DepthMap {
  /// A closure that computes normals during writing, with the axes in the file.
  package typealias GivenNormals = (make: @Sendable () throws -> NormalMap, frame: NormalMap.Frame)

  /// The content of the map's `.npz` file: `depth` with NaN for no value, the other arrays, `normals` with NaN for no normal,
  /// the name of the normals' axes, and the `unit`.
  package func archive(beside others: [NamedArray] = [], normals: GivenNormals? = nil)
    -> FileContent
  {
    var arrays =
      [.floats("depth", shape: [height, width], isPositive: unit.isMetric) { values }] + others
    if let (make, frame) = normals {
      arrays += [
        .floats("normals", shape: [height, width, 3]) { try make().values(in: frame) },
        .text("normals_frame", frame.rawValue),
      ]
    }
    arrays.append(.text("unit", StoredUnit(unit: unit, scale: unit == .metres ? 1 : nil).name))
    if case .normalized(let near) = unit { arrays.append(.text("near_is", near.rawValue)) }
    return NPZ.file(arrays)
  }
}
