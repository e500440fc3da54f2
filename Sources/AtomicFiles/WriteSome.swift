import SystemEssentials

/// `write` of the C library, whose name means something else in types that write.
///
/// - Returns: The bytes written, or -1 with the reason in `errno`.
@unsafe package func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
