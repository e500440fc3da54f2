package import DepthBase
import DepthErrors
import DepthImages
import PictureFiles
import ViewSynthesis

extension StereoPair {
  /// The pair as a spatial photo: a HEIC file with both views and their cameras.
  ///
  /// The cameras are parallel. The x axis points to the right, and the photo's own camera is at 0.
  ///
  /// - Parameters:
  ///   - quality: The quality on libheif's scale, 1…100.
  ///   - focalLength: Focal length of both cameras, pixels.
  ///   - baseline: Distance between the cameras, metres.
  ///   - balance: Position of the photo between the views; see ``StereoOptions/balance``.
  /// - Throws: `DepthError` with code `unsupportedFormat` without an encoder; with code `invalidArgument` for numbers that the
  ///   file cannot store; `CancellationError` between the views.
  ///
  /// > Source: Apple, "Creating spatial photos and videos with spatial metadata"; libheif, `box.cc` (`cmin`, `cmex`); ISO/IEC 23008-12,
  /// > section 6.8.5 (`ster`).
  package func spatialPhoto(
    quality: Int, focalLength: Double, baseline: Double, balance: Double,
    cancellation: Cancellation? = nil
  ) throws -> [UInt8] {
    let views = try zip([left, right], [-balance, 1 - balance]).map { view, share in
      try cancellation?.check()
      var picture = try HEVCPicture(compressing: view, quality: quality)
      try picture.describe(view, focalLength: focalLength, position: share * baseline)
      return picture
    }
    return try HEICFile(views, group: "ster", exifOf: left).bytes()
  }
}

extension HEVCPicture {
  /// Adds a camera whose optical axis passes through the center of the picture.
  ///
  /// - Parameters:
  ///   - focalLength: Focal length in pixels.
  ///   - position: Offset to the right in metres.
  /// - Throws: `DepthError` with code `invalidArgument` for numbers that the boxes cannot store.
  package mutating func describe(_ view: Image, focalLength: Double, position: Double) throws {
    let (height, width) = storedSize(of: view)
    // Lengths are shares of the compressed size. The focal length is equal along both axes.
    let shares = [
      focalLength / Double(width), 0.5 * Double(view.width) / Double(width),
      0.5 * Double(view.height) / Double(height),
    ]
    let values = shares.map { $0 * 0x1p20 } + [position * 1e6]
    let integers = try values.map { value in
      guard let integer = Int32(exactly: value.rounded()) else {
        throw DepthError(.invalidArgument, "a HEIC file cannot hold this focal length or baseline")
      }
      return [UInt8](bigEndian: integer)
    }
    describe(by: .fullBox("cmin", flags: 20 << 8, integers.dropLast().flatMap(\.self)))
    // x, y and z in micrometres, and three components of the identity quaternion in two bytes each.
    describe(by: .fullBox("cmex", flags: 0b1111, integers[3] + [UInt8](repeating: 0, count: 14)))
  }
}

extension StereoOptions {
  /// The options for parallel cameras, with zero parallax at infinity.
  ///
  /// - Throws: `DepthError` with code `invalidArgument` unless the parallax is metric.
  func ofParallelCameras() throws -> (options: StereoOptions, parallax: MetricParallax) {
    guard case .metric(var parallax) = amount else {
      throw DepthError(
        .invalidArgument,
        "the parallax of a spatial photo is a share of the width, expected a baseline and a focal length"
      )
    }
    parallax.screenDistance = .infinity
    var options = self
    (options.amount, options.convergence) = (.metric(parallax), 0)
    options.largestParallax = nil
    return (options, parallax)
  }
}
