/// Reads a caller's structure. Fields missing in the caller's version have default values.
///
/// - Parameters:
///   - structure: A structure that begins with its size, which may differ from the size in this library's
///     version; `nil` for defaults.
///   - defaults: A structure with default values.
///   - name: The structure's name, for errors.
/// - Throws: ``CallFailure`` for an invalid size, and for unknown fields unless they are zero.
func read<Structure>(
  _ structure: UnsafePointer<Structure>?, defaults: Structure, _ name: String
) throws -> Structure {
  guard let structure = unsafe structure else { return defaults }
  let raw = unsafe UnsafeRawPointer(structure)
  let size = unsafe Int(raw.load(as: UInt32.self))
  try require(
    (8...4096).contains(size),
    "the size of \(name) is \(size) bytes, expected \(MemoryLayout<Structure>.size)")
  var result = defaults
  unsafe withUnsafeMutableBytes(of: &result) {
    unsafe $0.copyMemory(
      from: UnsafeRawBufferPointer(start: raw, count: min(size, MemoryLayout<Structure>.size)))
  }
  for offset in MemoryLayout<Structure>.size..<max(size, MemoryLayout<Structure>.size) {
    try require(
      unsafe raw.load(fromByteOffset: offset, as: UInt8.self) == 0,
      "\(name) has a field at byte \(offset) that this version of the library does not support")
  }
  return result
}

/// Writes a result up to the size of the caller's structure, and keeps the structure's size field.
func write<Structure>(_ result: Structure, to structure: UnsafeMutablePointer<Structure>) {
  let raw = UnsafeMutableRawPointer(structure)
  let size = unsafe Int(raw.load(as: UInt32.self))
  let sizeBytes = MemoryLayout<UInt32>.size
  unsafe withUnsafeBytes(of: result) { bytes in
    let count = min(size, bytes.count) - sizeBytes
    guard count > 0 else { return }
    unsafe (raw + sizeBytes).copyMemory(
      from: bytes.baseAddress! + sizeBytes, byteCount: count)
  }
}

/// A thread count from C: 0 means one per processor.
func threads(_ number: Int32) -> Int? { number == 0 ? nil : Int(number) }

/// A Boolean from C.
func flag(_ number: Int32, _ name: String) throws -> Bool {
  try require((0...1).contains(number), "\(name) is \(number), expected 0 or 1")
  return number == 1
}

/// Rejects a nonzero reserved field.
func checkReserved(_ number: Int32) throws {
  try require(number == 0, "reserved is \(number), expected 0")
}

/// A path from C.
func path(_ text: UnsafePointer<CChar>, _ name: String) throws -> String {
  guard let path = unsafe String(validatingCString: text), !path.isEmpty else {
    throw CallFailure.invalidArgument("\(name) is empty or not UTF-8, expected a path")
  }
  return path
}
