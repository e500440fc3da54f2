import CDepthLibrary

/// The memory of a C program that calls the library: each structure and buffer is an allocation of exactly its
/// size, so that the address sanitizer sees every byte beyond it that is touched.
@safe struct CallerMemory {
  private var allocations: [UnsafeMutableRawPointer]

  init() { unsafe allocations = [] }

  /// A structure of the size that it states.
  @safe struct Structure<Value> {
    /// `nil` for `NULL`.
    let bytes: UnsafeMutableRawBufferPointer?

    var count: Int { unsafe bytes?.count ?? 0 }

    var start: UnsafeMutablePointer<Value>? {
      unsafe bytes?.baseAddress?.assumingMemoryBound(to: Value.self)
    }

    /// A field; `nil` where the structure ends before it does.
    private func place<Field>(
      of field: WritableKeyPath<Value, Field>
    ) -> UnsafeMutableRawPointer? {
      guard let start = unsafe bytes?.baseAddress,
        let offset = MemoryLayout<Value>.offset(of: field),
        offset + MemoryLayout<Field>.size <= count
      else { return nil }
      return unsafe start + offset
    }

    func set<Field>(_ field: WritableKeyPath<Value, Field>, _ value: Field) {
      unsafe place(of: field)?.storeBytes(of: value, as: Field.self)
    }

    /// Threads cost time and touch no further byte.
    func limitThreads(at field: WritableKeyPath<Value, Int32>) {
      guard let threads = unsafe place(of: field)?.loadUnaligned(as: Int32.self) else { return }
      if (3...256).contains(threads) { set(field, threads & 1 + 1) }
    }

    /// A megapixel at most: a header may ask for 2²⁸ pixels, which take a minute and touch no other code.
    func limitPixels(at field: WritableKeyPath<Value, Int64>) {
      guard let pixels = unsafe place(of: field)?.loadUnaligned(as: Int64.self) else { return }
      if pixels == 0 || pixels > 1 << 20 { set(field, 1 << 20) }
    }

    /// Whether a zero ends the text behind the first two fields.
    var hasText: Bool {
      unsafe bytes?.prefix(MemoryLayout<Value>.size).dropFirst(8).contains(0) ?? false
    }
  }

  /// A structure of these bytes; `NULL` where the first one is 255.
  mutating func structure<Value>(_: Value.Type, _ input: inout CallerBytes) -> Structure<Value> {
    let kind = input.byte()
    if kind == 255 { return unsafe Structure(bytes: nil) }
    // Mostly the right size: other ones end a call before anything else is looked at.
    let size = kind < 192 ? MemoryLayout<Value>.size : input.number() & 8191
    let bytes = unsafe allocate(input.bytes(max(4, min(size, 4096))))
    unsafe bytes.storeBytes(of: UInt32(size), as: UInt32.self)
    return unsafe Structure(bytes: bytes)
  }

  mutating func picture(_ input: inout CallerBytes) -> Structure<depth_picture> {
    let picture = unsafe structure(depth_picture.self, &input)
    let bytes = unsafe allocate(input.bytes(input.number()))
    unsafe picture.set(\.bytes, UnsafeRawPointer(bytes.baseAddress))
    unsafe picture.set(\.byte_count, UInt64(bytes.count))
    unsafe picture.limitPixels(at: \.max_pixels)
    return unsafe picture
  }

  mutating func map(_ input: inout CallerBytes) -> Structure<depth_map> {
    let map = unsafe structure(depth_map.self, &input)
    guard input.byte() < 240 else {
      // Nowhere: a result's size is asked for.
      unsafe map.set(\.values, nil)
      return unsafe map
    }
    let count = input.number() & 4095
    let values = unsafe allocate(input.bytes(count * 4))
    unsafe map.set(\.values, values.baseAddress?.assumingMemoryBound(to: Float.self))
    unsafe map.set(\.value_count, UInt64(count))
    return unsafe map
  }

  mutating func views(_ input: inout CallerBytes) -> Structure<depth_views> {
    let views = unsafe structure(depth_views.self, &input)
    let (missing, count) = (input.byte(), input.number())
    func view(_ bit: UInt8) -> UnsafeMutablePointer<UInt8>? {
      guard missing & bit == 0 else { return nil }
      return unsafe allocate([UInt8](repeating: 0, count: count)).baseAddress?
        .assumingMemoryBound(to: UInt8.self)
    }
    unsafe views.set(\.left, view(1))
    unsafe views.set(\.right, view(2))
    unsafe views.set(\.byte_count, UInt64(count))
    return unsafe views
  }

  /// Options that name weights which are nowhere.
  mutating func openOptions(_ input: inout CallerBytes) -> Structure<depth_open_options> {
    let options = unsafe structure(depth_open_options.self, &input)
    let count = Int(input.byte() & 31)
    typealias Name = UnsafePointer<CChar>?
    let names = unsafe allocate(
      [UInt8](repeating: 0, count: max(count, 1) * MemoryLayout<Name>.size))
    for index in 0..<count {
      let text = unsafe allocate(
        Array("/dev/null/".utf8) + input.bytes(Int(input.byte() & 15)) + [0])
      unsafe names.storeBytes(
        of: UnsafePointer(text.baseAddress?.assumingMemoryBound(to: CChar.self)),
        toByteOffset: index * MemoryLayout<Name>.size, as: Name.self)
    }
    unsafe options.set(
      \.weights, UnsafePointer(names.baseAddress?.assumingMemoryBound(to: Name.self)))
    unsafe options.set(\.weights_count, UInt32(count))
    unsafe options.set(\.metres, nil)
    return unsafe options
  }

  private mutating func allocate(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    unsafe memory.copyBytes(from: bytes)
    if let start = memory.baseAddress { unsafe allocations.append(start) }
    return unsafe memory
  }

  mutating func free() {
    while let memory = unsafe allocations.popLast() { unsafe memory.deallocate() }
  }
}
