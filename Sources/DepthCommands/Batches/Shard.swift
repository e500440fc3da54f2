import DepthBase

/// One of `n` parts of the photos. The CRC-32 of a photo's relative path selects its part.
///
/// The parts are the same on every machine and for every order of photos.
struct Shard: ArgumentWord, Hashable, Sendable {
  static let expected = "part I of N as I/N, such as 2/8, with I from 1 to N and N up to 100000"

  /// 1…``count``.
  let index: Int
  let count: Int

  init?(word: String) {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...100_000).contains(count), (1...count).contains(index)
    else { return nil }
    (self.index, self.count) = (index, count)
  }

  func contains(_ relativePath: String) -> Bool {
    Int(CRC32.checksum(relativePath.fileNameBytes[...])) % count == index - 1
  }
}
