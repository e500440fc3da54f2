import DepthErrors
package import SystemEssentials

extension RawRepresentable<String> where Self: Equatable {
  /// Selects the format by a file name's extension, in upper or lower case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`, also for `.png` in a build without codecs.
  package init(extensionOf url: URL, among formats: [Self]) throws {
    let found = url.pathExtension.lowercased()
    if found == "png", !Codecs.areAvailable, formats.contains(where: { $0.rawValue == found }) {
      throw DepthError.withoutCodecs(format: "PNG", file: url.relativePath)
    }
    guard let format = Self(rawValue: found), formats.contains(format) else {
      throw DepthError.unknownExtension(
        file: url.relativePath, expected: formats.map { ".\($0.rawValue)" }, found: found)
    }
    self = format
  }
}
