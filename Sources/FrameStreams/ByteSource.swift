import DepthErrors
import Synchronization
import SystemEssentials

/// A buffered source of a stream's bytes that reads ahead by at most 64 KiB.
@safe package struct ByteSource: Sendable {
  /// Fills a buffer with at least one byte. Returns the number of bytes, 0 at the end.
  package typealias Pull = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

  /// The stream's name in errors.
  package let name: String
  private let pull: Pull
  private var buffer: [UInt8]
  /// The buffered bytes that have not been consumed.
  private var unused = 0..<0
  private var hasEnded = false
  /// Bytes that were put back, to be read before further bytes of the source.
  private var returned: ArraySlice<UInt8> = []

  private static let capacity = 1 << 16

  package init(name: String, _ pull: @escaping Pull) {
    unsafe (self.name, self.pull) = (name, pull)
    buffer = [UInt8](repeating: 0, count: Self.capacity)
  }

  /// Reads once, and appends the bytes to the unconsumed bytes.
  ///
  /// - Returns: `false` at the end.
  private mutating func fill() throws -> Bool {
    guard !hasEnded else { return false }
    if unused.isEmpty {
      unused = 0..<0
    } else if unused.upperBound == Self.capacity {
      let rest = Array(buffer[unused])
      buffer.replaceSubrange(0..<rest.count, with: rest)
      unused = 0..<rest.count
    }
    let end = unused.upperBound
    if !returned.isEmpty {
      let part = returned.prefix(Self.capacity - end)
      buffer.replaceSubrange(end..<end + part.count, with: part)
      returned.removeFirst(part.count)
      unused = unused.lowerBound..<end + part.count
      return true
    }
    let pull = unsafe pull
    let count = try unsafe buffer.withUnsafeMutableBytes {
      try unsafe pull(UnsafeMutableRawBufferPointer(rebasing: $0[end...]))
    }
    hasEnded = count == 0
    unused = unused.lowerBound..<end + count
    return count > 0
  }

  /// The next bytes, without consuming them; fewer than `count` at the end.
  ///
  /// - Precondition: `count` is at most 4096.
  mutating func peek(_ count: Int) throws -> ArraySlice<UInt8> {
    precondition(count <= 4096, "peek at \(count) bytes, expected at most 4096")
    while unused.count < count { guard try fill() else { break } }
    return buffer[unused].prefix(count)
  }

  /// The next byte; `nil` at the end.
  package mutating func byte() throws -> UInt8? {
    if unused.isEmpty { guard try fill() else { return nil } }
    let byte = buffer[unused.lowerBound]
    unused.removeFirst()
    return byte
  }

  /// The next `count` bytes; fewer at the end.
  package mutating func bytes(_ count: Int) throws -> [UInt8] {
    guard returned.isEmpty else {
      var bytes: [UInt8] = []
      while bytes.count < count {
        if unused.isEmpty { guard try fill() else { break } }
        let part = buffer[unused].prefix(count - bytes.count)
        bytes += part
        unused.removeFirst(part.count)
      }
      return bytes
    }
    let start = buffer[unused].prefix(count)
    unused.removeFirst(start.count)
    guard start.count < count else { return Array(start) }
    let pull = unsafe pull
    var ended = false
    let result = try unsafe [UInt8](unsafeUninitializedCapacity: count) { out, filled in
      filled = start.count
      _ = unsafe out.update(fromContentsOf: start)
      let raw = UnsafeMutableRawBufferPointer(out)
      while filled < count, !ended {
        let read = try unsafe pull(UnsafeMutableRawBufferPointer(rebasing: raw[filled...]))
        ended = read == 0
        filled += read
      }
    }
    hasEnded = hasEnded || ended
    return result
  }

  /// Puts back the last consumed bytes.
  mutating func putBack(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    returned = bytes + buffer[unused] + returned
    unused = 0..<0
    hasEnded = false
  }

  /// The bytes up to a line feed, which is consumed but not returned; `nil` at the end of the stream.
  ///
  /// - Parameter mayEndStream: Whether the end of the stream also ends a line.
  /// - Throws: `LineTooLong`, to be converted to an error with the stream's name.
  package mutating func line(limit: Int, mayEndStream: Bool = true) throws -> [UInt8]? {
    var line: [UInt8] = []
    while let byte = try byte() {
      if byte == 0x0A { return line }
      guard line.count < limit else { throw LineTooLong() }
      line.append(byte)
    }
    return line.isEmpty || !mayEndStream ? nil : line
  }

  /// Appends all bytes before the next 0xFF.
  ///
  /// - Returns: `false` if the stream ends first, or if the frame exceeds `limit`.
  mutating func appendUpToMarkerPrefix(to frame: inout [UInt8], limit: Int) throws -> Bool {
    while true {
      if unused.isEmpty { guard try fill() else { return false } }
      let part = buffer[unused]
      let end = part.firstIndex(of: 0xFF)
      frame.append(contentsOf: part[..<(end ?? part.endIndex)])
      unused = (end ?? part.endIndex)..<unused.upperBound
      if end != nil { return true }
      guard frame.count <= limit else { return false }
    }
  }
}

/// A line exceeds its reader's limit.
package struct LineTooLong: Error {}

/// A flag that asks the threads of a stream to stop.
package final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package func stop() { flag.store(true, ordering: .releasing) }

  package var isStopped: Bool { flag.load(ordering: .acquiring) }
}

extension ByteSource {
  /// Interval in milliseconds at which `isStopped` is polled.
  private static let patience: Int32 = 100

  /// The bytes of an open descriptor, such as standard input.
  ///
  /// - Parameter isStopped: Polled before each read and while no bytes arrive; `true` ends the stream.
  package init(
    descriptor: Int32, name: String, isStopped: @escaping @Sendable () -> Bool
  ) {
    unsafe self.init(name: name) { buffer in
      while true {
        guard !isStopped() else { return 0 }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, Self.patience) > 0 else { continue }
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else {
          throw DepthError.unreadable(file: name, reason: systemReason())
        }
      }
    }
  }
}
