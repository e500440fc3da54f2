import DepthImages

/// The focal length in an Exif block.
///
/// > Source: CIPA DC-008 (Exif 2.32), table 8; P. Harvey, ExifTool, `CalcSensorDiag`, for the fractions of Canon.
extension ExifBlock {
  struct FocalLength: Equatable {
    /// Millimetres on a 36 × 24 mm frame with the same diagonal.
    var equivalent: Double
    /// Whether the number is computed from the lens's focal length and the sensor. Otherwise it is read as whole
    /// millimetres of another format.
    var isExact: Bool
  }

  /// The focal length of a photo; `nil` if it is implausible or unknown, which Exif writes as 0.
  ///
  /// Programs that reduce photos update PixelXDimension but not FocalPlaneXResolution. The quotient of the two fields
  /// is therefore the last source, and requires a plausible sensor and an ordinary lens.
  ///
  /// - Parameters:
  ///   - width: Columns of the photo, as stored or upright.
  ///   - height: Rows of the photo.
  func focalLength(width: Int, height: Int) -> FocalLength? {
    guard let exifIFD = value(of: Tag.exifIFD, inIFD: firstIFD) else { return nil }
    if let diagonal = sensorDiagonalInFractions(exifIFD),
      let equivalent = equivalent(exifIFD, sensorDiagonal: diagonal)
    {
      return FocalLength(equivalent: equivalent, isExact: true)
    }
    if let length = value(of: Tag.focalLengthIn35mmFilm, inIFD: exifIFD), length > 0 {
      return FocalLength(equivalent: Double(length), isExact: false)
    }
    guard let diagonal = sensorDiagonalByPixels(exifIFD, width: width, height: height),
      let equivalent = equivalent(exifIFD, sensorDiagonal: diagonal),
      Self.isUsual(equivalent, width: width, height: height)
    else { return nil }
    return FocalLength(equivalent: equivalent, isExact: true)
  }

  /// Sensor diagonals in millimetres, from the smallest phones to medium format.
  private static let sensorDiagonals = 4.0...70

  /// The sensor's diagonal in millimetres, from resolutions in Canon's fractions: 1000 times the sensor's pixels over
  /// the sensor's thousandths of an inch. The fractions stay valid at any size of the photo.
  private func sensorDiagonalInFractions(_ exifIFD: Int) -> Double? {
    guard value(of: Tag.focalPlaneResolutionUnit, inIFD: exifIFD) ?? 2 == 2,
      let x = fraction(of: Tag.focalPlaneXResolution, inIFD: exifIFD),
      let y = fraction(of: Tag.focalPlaneYResolution, inIFD: exifIFD),
      x.numerator % 1000 == 0, y.numerator % 1000 == 0,
      (480_000...65_535_000).contains(x.numerator), (480_000...65_535_000).contains(y.numerator),
      // Equal denominators are a unit, not the sides of a sensor.
      x.denominator != y.denominator
    else { return nil }
    let (across, down) = (Double(x.denominator), Double(y.denominator))
    let pixelShape = Double(x.numerator) / across / (Double(y.numerator) / down)
    let diagonal = (across * across + down * down).squareRoot() / 1000 * 25.4
    return Self.sensorDiagonals.contains(diagonal) && (0.9...1.1).contains(pixelShape)
      ? diagonal : nil
  }

  /// The sensor's diagonal in millimetres, from its pixels and pixels per length; `nil` if the sensor's proportions
  /// differ from the photo's.
  private func sensorDiagonalByPixels(_ exifIFD: Int, width: Int, height: Int) -> Double? {
    // Exif's units are the inch (default and 2) and the centimetre (3). Some makers add the millimetre (4) and the
    // micrometre (5).
    let millimetres = [2: 25.4, 3: 10, 4: 1, 5: 0.001]
    guard let resolution = quotient(of: Tag.focalPlaneXResolution, inIFD: exifIFD),
      let unit = millimetres[value(of: Tag.focalPlaneResolutionUnit, inIFD: exifIFD) ?? 2],
      let columns = value(of: Tag.pixelXDimension, inIFD: exifIFD), columns > 0,
      let rows = value(of: Tag.pixelYDimension, inIFD: exifIFD), rows > 0
    else { return nil }
    let (x, y) = (Double(columns), Double(rows))
    let diagonal = (x * x + y * y).squareRoot() / resolution * unit
    let down = quotient(of: Tag.focalPlaneYResolution, inIFD: exifIFD) ?? resolution
    let (sensor, photo) = (x / resolution / (y / down), Double(width) / Double(height))
    // Some programs rotate a photo without exchanging its dimensions.
    let difference = max(sensor, 1 / sensor) / max(photo, 1 / photo)
    return Self.sensorDiagonals.contains(diagonal) && (0.95...1.05).contains(difference)
      ? diagonal : nil
  }

  /// Returns whether the resulting depth factor is usual.
  private static func isUsual(_ equivalent: Double, width: Int, height: Int) -> Bool {
    let camera = Camera(width: width, height: height, equivalentFocalLength: equivalent)
    let kinect = Camera.kinect(width: width, height: height)
    return Camera.usualFactors.contains(camera.focalLength / kinect.focalLength)
  }

  /// The 35 mm equivalent of the lens's focal length.
  private func equivalent(_ exifIFD: Int, sensorDiagonal: Double) -> Double? {
    guard let length = quotient(of: Tag.focalLength, inIFD: exifIFD) else { return nil }
    let equivalent = length * Camera.squaredDiagonalOf35mmFilm.squareRoot() / sensorDiagonal
    return (1...10_000).contains(equivalent) ? equivalent : nil
  }

  /// A positive number of type RATIONAL.
  private func quotient(of tag: UInt16, inIFD ifd: Int) -> Double? {
    fraction(of: tag, inIFD: ifd).map { Double($0.numerator) / Double($0.denominator) }
  }

  private func fraction(
    of tag: UInt16, inIFD ifd: Int
  ) -> (numerator: Int, denominator: Int)? {
    guard let entry = entry(tag, inIFD: ifd), reader.integer(UInt16.self, at: entry + 2) == 5,
      reader.integer(UInt32.self, at: entry + 4) == 1,
      let offset = reader.integer(UInt32.self, at: entry + 8),
      let numerator = reader.integer(UInt32.self, at: Int(offset)), numerator > 0,
      let denominator = reader.integer(UInt32.self, at: Int(offset) + 4), denominator > 0
    else { return nil }
    return (Int(numerator), Int(denominator))
  }
}
