import SystemEssentials
import WeightsFiles

extension WeightsBlock {
  /// Fills the first 512 bytes of a file with checksums of the following bytes. An unwritable file
  /// keeps no checksums, and is refused on reading.
  static func write(before path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count > count else { return }
    let rest = Array(data.dropFirst(count))
    try? Data(bytes(for: rest) + rest).write(to: URL(filePath: path))
  }
}
