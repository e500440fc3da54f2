import CDepthBase

/// Makes a file without a name that goes away with its descriptor: in memory on Linux, elsewhere in the folder for
/// temporary files.
///
/// - Parameter bytes: Its content.
/// - Returns: The descriptor, which is closed on `exec` and inherited by `fork`, or -1 with the reason in `errno`.
package func memoryFile(holding bytes: UnsafeRawBufferPointer) -> Int32 {
  unsafe cpf_memory_file(bytes.baseAddress, bytes.count)
}
