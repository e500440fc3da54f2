import SystemEssentials
import WeightsFiles

extension WeightsBlock {
  /// Fills the first 512 bytes of a file from what follows them; a file that cannot be written stays
  /// without checksums, and is refused when it is read.
  static func write(before path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count > count else { return }
    let rest = Array(data.dropFirst(count))
    try? Data(bytes(for: rest) + rest).write(to: URL(filePath: path))
  }
}
