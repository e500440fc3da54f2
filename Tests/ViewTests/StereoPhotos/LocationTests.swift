import DepthImages
import DepthPhotos
import PictureFiles
import StereoPhotos
import Testing
import ViewSynthesis
import _TestSupport

/// Photos that are written for display contain no location.
@Suite struct LocationTests {
  private func photo() throws -> (image: Image, depth: DepthMap) {
    let (height, width) = (48, 64)
    let plain = Image(
      height: height, width: width,
      pixels: (0..<height * width * 3).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let jpeg = LocatedPhoto().inserted(into: try plain.encoded(as: .jpeg(quality: 90)))
    let depth = DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { $0 % width < 20 ? 1.5 : 4 })
    return (try Image(decoding: jpeg, name: "located.jpg"), depth)
  }

  private func files(_ policy: MetadataPolicy) throws -> [(name: String, bytes: [UInt8])] {
    let (image, depth) = try photo()
    var output = StereoOutput()
    output.metadata = policy
    var files: [(String, [UInt8])] = []
    for format in [StereoFormat.sideBySide, .leftRight, .mpo, .wiggle, .holeMask] {
      for file in try image.stereoFiles(as: format, depth: depth, output: output) {
        files.append((format.name + file.ending, file.bytes))
      }
    }
    for format in DepthPhoto.Format.allCases {
      let bytes = try DepthPhoto.encode(image, depth: depth, as: format, metadata: policy)
      files.append(("\(format.rawValue).jpg", bytes))
    }
    return files
  }

  @Test("no stereo or depth photo has the location by default")
  func noFileSaysWhereThePhotoWasTaken() throws {
    let (image, depth) = try photo()
    #expect(image.metadata.exif.map { LocatedPhoto.occurs(LocatedPhoto.needle, in: $0) } == true)
    for file in try files(.withoutLocation) {
      #expect(!LocatedPhoto.occurs(LocatedPhoto.needle, in: file.bytes), "\(file.name)")
      #expect(!LocatedPhoto.occurs("GPSL", in: file.bytes), "\(file.name)")
    }
    // Both functions have the same default.
    let stereo = try image.stereoFiles(as: .sideBySide, depth: depth)[0].bytes
    let inside = try DepthPhoto.encode(image, depth: depth, as: .gDepth)
    #expect(!LocatedPhoto.occurs(LocatedPhoto.needle, in: stereo + inside))
    #expect(LocatedPhoto.occurs(LocatedPhoto.date, in: stereo))
  }

  @Test("essential metadata of a written photo keeps the copyright")
  func essentialIsCopyright() throws {
    for file in try files(.essential) where file.name.hasSuffix("jpg") {
      #expect(!LocatedPhoto.occurs(LocatedPhoto.date, in: file.bytes), "\(file.name)")
      #expect(LocatedPhoto.occurs(LocatedPhoto.copyright, in: file.bytes), "\(file.name)")
    }
  }

  @Test(
    "ExifTool finds a location only if everything is kept",
    .enabled(if: ExternalReader.exifTool.isInstalled, "ExifTool is not installed"))
  func exifToolFindsNoPlace() throws {
    func report(_ file: (name: String, bytes: [UInt8])) throws -> String {
      try ExternalReader.exifTool.run(
        ["-a", "-u", "-ee", "-s", "-G1", "FILE"], on: file.bytes, named: file.name)
    }
    for file in try files(.withoutLocation) {
      let report = try report(file)
      for word in ["GPS", "City", "IPTC", "MakerNote", LocatedPhoto.needle, "Warning"] {
        #expect(!report.contains(word), "\(file.name): \(report)")
      }
      if file.name.hasSuffix(".jpg") { #expect(report.contains(LocatedPhoto.date)) }
    }
    for file in try files(.everything) where file.name.hasSuffix("jpg") {
      let report = try report(file)
      #expect(report.contains("GPSLatitude"), "\(file.name): \(report)")
    }
  }

  @Test("file endings are known before the files exist") func endingsAreThoseOfTheFiles() throws {
    let (image, depth) = try photo()
    for format in StereoFormat.ofAnyPhoto {
      for isLossless in [false, true] {
        var output = StereoOutput()
        output.isLossless = isLossless
        let files = try image.stereoFiles(as: format, depth: depth, output: output)
        #expect(
          files.map(\.ending) == format.endings(aspect: 64.0 / 48.0, output: output),
          "\(format.name)")
      }
    }
  }
}
