import DepthBase
import DepthErrors
package import HDF5Files
import SystemEssentials

/// The 512 bytes before the HDF5 data of a weights file of version 2.
///
/// `Documentation/Development/Weights-format.md` describes the layout. The block's checksum detects any changed byte before
/// the file's content is used.
package struct WeightsBlock: Sendable {
  package static let magic: [UInt8] = [0x8A, 0x66, 0x63, 0x72, 0x6E, 0x0D, 0x0A, 0x1A]
  package static let version: UInt32 = 2
  package static let count = 512

  /// The stated SHA-256 of all bytes after the block, as 64 hexadecimal digits.
  package let sha256: String
  /// The stated CRC-32 of all bytes after the block.
  private let checksum: UInt32

  /// Reads and checks the block of an open file; `nil` if the file has no block, or a block copied from other HDF5 data.
  ///
  /// - Throws: `DepthError`: code `damaged` if the block is damaged or states another length of the file; code
  ///   `unsupportedFormat` for another version.
  package init?(of descriptor: Int32, size: Int, file: String) throws {
    func damaged(_ reason: String) -> DepthError { DepthError(.damaged, file: file, reason) }
    var block = [UInt8](repeating: 0, count: Self.count)
    let found = unsafe pread(descriptor, &block, block.count, 0)
    guard block.starts(with: Self.magic) else { return nil }
    guard found == Self.count, block.number(at: 508) == UInt64(CRC32.checksum(block[..<508])) else {
      throw damaged("is damaged: its first \(Self.count) bytes differ from their checksum")
    }
    let (version, count) = (block.number(at: 8), block.number(at: 12))
    guard version == Self.version, count == Self.count else {
      throw DepthError(
        .unsupportedFormat, file: file,
        "has a block of version \(version) and \(count) bytes, expected version \(Self.version) "
          + "and \(Self.count) bytes")
    }
    let length = block.number(at: 16, bytes: 8)
    guard size >= Self.count, length == UInt64(size - Self.count) else {
      if Self.isRewritten(descriptor, size: size) { return nil }
      throw damaged(
        "is damaged: it has \(size - Self.count) bytes after its first \(Self.count), "
          + "expected \(length)")
    }
    checksum = UInt32(block.number(at: 24))
    sha256 = block[32..<64].map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// The comparison of all bytes after the block with their checksum.
  ///
  /// The comparison throws `DepthError`: code `damaged` if the checksums differ; code `unreadable` for an unreadable file.
  package func verification(
    of descriptor: Int32, size: Int, file: String
  ) -> HDF5File.Verification {
    {
      var found: UInt32 = 0
      try Self.forEachPiece(of: descriptor, size: size, file: file) {
        found = CRC32.checksum($0, after: found)
      }
      guard found == checksum else {
        throw DepthError(
          .damaged, file: file, "is damaged: its bytes differ from their checksum")
      }
    }
  }

  /// Whether another program, such as h5repack, has rewritten the file and copied the block.
  ///
  /// In a rewritten file, the HDF5 data states the file's length, but the block states another length. A truncated or
  /// extended file still states its old length.
  ///
  /// > Source: “HDF5 File Format Specification Version 3.0”, section II.A: the end-of-file address.
  private static func isRewritten(_ descriptor: Int32, size: Int) -> Bool {
    var superblock = [UInt8](repeating: 0, count: 56)
    guard
      unsafe pread(descriptor, &superblock, superblock.count, off_t(count)) == superblock.count
    else { return false }
    let place = [40, 44, 28, 28]
    let version = Int(superblock[8])
    return place.indices.contains(version)
      && superblock.number(at: place[version], bytes: 8) == UInt64(size)
  }

  /// The block of a file whose other bytes are `rest`.
  package static func bytes(for rest: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    digest.update(rest)
    let digits = Array(digest.hexadecimal)
    var block = magic
    block.append(version, bytes: 4)
    block.append(count, bytes: 4)
    block.append(rest.count, bytes: 8)
    block.append(CRC32.checksum(rest[...]), bytes: 4)
    block.append(0, bytes: 4)
    for i in stride(from: 0, to: digits.count, by: 2) {
      block.append(UInt8(String(digits[i...i + 1]), radix: 16) ?? 0)
    }
    block += [UInt8](repeating: 0, count: count - 4 - block.count)
    block.append(CRC32.checksum(block[...]), bytes: 4)
    return block
  }

  /// Reads the bytes after the block, or from another offset, in pieces, and passes each to `body`.
  ///
  /// - Throws: `DepthError` with code `unreadable` for an unreadable file; any error of `body`.
  package static func forEachPiece(
    of descriptor: Int32, from start: Int = count, size: Int, file: String,
    _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var offset = start
    var buffer = [UInt8](repeating: 0, count: max(min(size - start, 1 << 18), 0))
    while offset < size {
      let wanted = min(size - offset, buffer.count)
      var found = 0
      repeat {
        found = unsafe pread(descriptor, &buffer, wanted, off_t(offset))
      } while found < 0 && errno == EINTR
      guard found > 0 else {
        throw DepthError.unreadable(file: file, reason: "cannot be read after byte \(offset)")
      }
      try body(buffer[..<found])
      offset += found
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: some FixedWidthInteger, bytes: Int) {
    for i in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * i))) }
  }
}
