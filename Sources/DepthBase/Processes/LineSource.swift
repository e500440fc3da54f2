import SystemEssentials

/// A reader of lines from a descriptor.
@safe
struct LineSource {
  let descriptor: Int32
  private var rest: [UInt8] = []
  private var hasEnded = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its terminator, a line feed or carriage return; `nil` at the end.
  mutating func next() -> String? {
    while true {
      if let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return line
      }
      guard !hasEnded else {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        hasEnded = true
      }
      // Valid lines are shorter.
      if rest.count > 1 << 20 { rest = [] }
    }
  }
}
