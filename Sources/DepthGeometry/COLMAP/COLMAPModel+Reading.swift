import DepthBase
import DepthErrors
package import SystemEssentials

extension COLMAPModel {
  /// Reads `cameras`, `images` and `points3D`, all `.bin` or all `.txt`, of a folder or of its folders `sparse` or `sparse/0`.
  ///
  /// - Throws: `DepthError`: `unreadable` for a folder without a model, `damaged` for a file that violates the format,
  ///   `unsupportedFormat` for a camera with a distortion.
  package init(contentsOf folder: URL) throws {
    let places = ["", "sparse/0", "sparse"].map { folder.appending(path: $0) }
    for place in places {
      for ending in ["bin", "txt"] {
        let names = ["cameras", "images", "points3D"].map {
          place.appending(path: "\($0).\(ending)")
        }
        guard FileFacts(of: names[0]) != nil else { continue }
        let files = try names.map { name in
          try COLMAPReader(InputFile.bytes(of: name), isText: ending == "txt", name.relativePath)
        }
        self.init()
        try read(cameras: files[0], photos: files[1], points: files[2])
        return
      }
    }
    throw DepthError.unreadable(
      file: folder.relativePath,
      reason:
        "has no model of COLMAP, expected cameras.bin or cameras.txt, in it or in its sparse/0")
  }

  private mutating func read(
    cameras: COLMAPReader, photos: COLMAPReader, points: COLMAPReader
  ) throws {
    try cameras.forEachRecord { file in
      let id = try file.integer()
      let model = try file.cameraModel()
      let (width, height) = (try file.integer(bytes: 8), try file.integer(bytes: 8))
      let sides = 1...1 << 20
      guard sides.contains(width), sides.contains(height) else {
        throw file.damaged("camera \(id) is \(width)×\(height)")
      }
      guard model == "PINHOLE" || model == "SIMPLE_PINHOLE" else {
        throw DepthError(
          .unsupportedFormat, file: file.name,
          "camera \(id) is \(model), expected PINHOLE or SIMPLE_PINHOLE; 'colmap image_undistorter' makes such photos and cameras"
        )
      }
      let fx = try file.number()
      let fy = model == "PINHOLE" ? try file.number() : fx
      let camera = Camera(
        id: id, width: width, height: height, fx: fx, fy: fy, cx: try file.number(),
        cy: try file.number())
      guard fx > 0, fy > 0 else { throw file.damaged("camera \(id) has the focal length \(fx)") }
      guard self.cameras.updateValue(camera, forKey: id) == nil else {
        throw file.damaged("camera \(id) is there twice")
      }
    }
    try photos.forEachRecord { file in
      let id = try file.integer()
      let q = SIMD4(
        try file.number(), try file.number(), try file.number(), try file.number())
      let t = SIMD3(try file.number(), try file.number(), try file.number())
      let camera = try file.integer()
      let name = try file.text()
      guard self.cameras[camera] != nil, (q * q).sum() > 1e-12 else {
        throw file.damaged("photo \(id) has no camera or no rotation")
      }
      let places = try file.places {
        Place(x: try file.number(), y: try file.number(), point: try file.integer(bytes: 8))
      }
      self.photos.append(
        Photo(
          id: id, rotation: q, translation: t, camera: camera, name: name, places: places))
    }
    try points.forEachRecord { file in
      let id = try file.integer(bytes: 8)
      let position = SIMD3(try file.number(), try file.number(), try file.number())
      let color = SIMD3(try file.byte(), try file.byte(), try file.byte())
      self.points[id] = Point(position: position, color: color, error: try file.number())
      try file.skipTrack()
    }
  }
}

/// Reads the records of one file, binary or text, within its bytes.
final class COLMAPReader {
  let name: String
  private let bytes: [UInt8]
  private let isText: Bool
  private var place = 0
  /// Where the current line of text ends.
  private var lineEnd = -1

  init(_ bytes: [UInt8], isText: Bool, _ name: String) {
    (self.bytes, self.isText, self.name) = (bytes, isText, name)
  }

  func damaged(_ reason: String) -> DepthError {
    .damaged(file: name, format: "COLMAP model", reason: reason)
  }

  /// Reads record after record: as many as a binary file says, or as there are lines of text.
  func forEachRecord(_ read: (COLMAPReader) throws -> Void) throws {
    guard isText else {
      let count = try integer(bytes: 8)
      // No record is shorter than eight bytes.
      guard (0...bytes.count / 8).contains(count) else {
        throw damaged("has \(bytes.count) bytes for \(count) records")
      }
      for _ in 0..<count { try read(self) }
      return
    }
    while nextLine() {
      skipBlanks()
      if place < lineEnd, bytes[place] != UInt8(ascii: "#") { try read(self) }
    }
  }

  /// Begins the next line of text; `false` at the end of the file.
  private func nextLine() -> Bool {
    place = lineEnd + 1
    guard place < bytes.count else { return false }
    lineEnd = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    return true
  }

  private func skipBlanks() {
    while place < lineEnd, [0x20, 0x09, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private func word() throws -> String {
    skipBlanks()
    let start = place
    while place < lineEnd, ![0x20, 0x09, 0x0D].contains(bytes[place]) { place += 1 }
    guard start < place else { throw damaged("a line ends too early") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func bits(_ count: Int) throws -> UInt64 {
    guard place <= bytes.count - count else { throw damaged("ends too early") }
    defer { place += count }
    return (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[place + $1]) }
  }

  /// An integer; text has any size. -1 is what COLMAP writes for none.
  func integer(bytes count: Int = 4) throws -> Int {
    guard isText else {
      let bits = try bits(count)
      return count == 8 ? Int(truncatingIfNeeded: bits) : Int(bits)
    }
    let word = try word()
    guard let value = Int(word) else { throw damaged("'\(word.prefix(40))' is no integer") }
    return value
  }

  func byte() throws -> UInt8 {
    let value = try integer(bytes: 1)
    guard let byte = UInt8(exactly: value) else { throw damaged("\(value) is no color") }
    return byte
  }

  func number() throws -> Double {
    let value = isText ? Double(try word()) : Double(bitPattern: try bits(8))
    guard let value, value.isFinite else { throw damaged("holds a number that is none") }
    return value
  }

  /// A name: the rest of the line, or up to a zero byte.
  func text() throws -> String {
    skipBlanks()
    guard var end = isText ? lineEnd : bytes[place...].firstIndex(of: 0), end > place,
      end - place <= 4096
    else { throw damaged("a name is empty or does not end") }
    defer { place = isText ? lineEnd : end + 1 }
    while isText, [0x20, 0x09, 0x0D].contains(bytes[end - 1]) { end -= 1 }
    return String(decoding: bytes[place..<end], as: UTF8.self)
  }

  /// The name of a camera's model.
  func cameraModel() throws -> String {
    if isText { return try word() }
    let number = try integer()
    let names = [
      "SIMPLE_PINHOLE", "PINHOLE", "SIMPLE_RADIAL", "RADIAL", "OPENCV", "OPENCV_FISHEYE",
    ]
    return names.indices.contains(number) ? names[number] : "of the model \(number)"
  }

  /// The places of a photo: a number of them, or the next line, which may be empty.
  func places<Place>(_ read: () throws -> Place) throws -> [Place] {
    var places: [Place] = []
    if isText {
      guard nextLine() else { return [] }
      skipBlanks()
      while place < lineEnd {
        places.append(try read())
        skipBlanks()
      }
    } else {
      let count = try integer(bytes: 8)
      guard (0...(bytes.count - place) / 24).contains(count) else {
        throw damaged("ends before \(count) places of a photo")
      }
      places.reserveCapacity(count)
      for _ in 0..<count { places.append(try read()) }
    }
    return places
  }

  /// Passes over the photos that show a point.
  func skipTrack() throws {
    if isText {
      place = lineEnd
      return
    }
    let count = try integer(bytes: 8)
    guard (0...(bytes.count - place) / 8).contains(count) else {
      throw damaged("ends before \(count) photos of a point")
    }
    place += 8 * count
  }
}
