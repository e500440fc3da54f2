import CDepthLibrary
import DepthErrors

/// A failure with its own status in `depth.h`.
struct CallFailure: Error, CustomStringConvertible {
  let status: Int
  let description: String

  static func invalidArgument(_ description: String) -> CallFailure {
    CallFailure(status: DEPTH_INVALID_ARGUMENT, description: description)
  }
}

/// Checks an argument.
///
/// - Throws: ``CallFailure`` if the condition is false.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !holds { throw CallFailure.invalidArgument(otherwise()) }
}

/// The sides of a picture as C integers. The sides in a file's header may be too large.
///
/// - Throws: ``CallFailure`` with the status `DEPTH_TOO_LARGE`.
func sides(_ height: Int, _ width: Int) throws -> (Int32, Int32) {
  guard let rows = Int32(exactly: height), let columns = Int32(exactly: width) else {
    throw CallFailure(
      status: DEPTH_TOO_LARGE,
      description: "the picture has \(width)×\(height) pixels, expected sides up to \(Int32.max)")
  }
  return (rows, columns)
}

/// Unwraps a required argument.
///
/// - Throws: ``CallFailure`` for `NULL`.
func required<Given>(
  _ given: Given?, _ name: String, _ expected: String = "a structure"
) throws -> Given {
  guard let given else {
    throw CallFailure.invalidArgument("\(name) is NULL, expected \(expected)")
  }
  return given
}

/// Runs the body of a call.
///
/// - Parameter failure: Receives the status and the message of an error of `body`.
/// - Returns: The status.
func call(
  _ failure: UnsafeMutablePointer<depth_failure>?, _ body: () throws -> Void
) -> depth_status {
  do { try body() } catch {
    let status = depth_status(statusCode(of: error))
    unsafe report(status, "\(error)", to: failure)
    return status
  }
  unsafe report(depth_status(DEPTH_OK), "", to: failure)
  return depth_status(DEPTH_OK)
}

/// The status of an error.
private func statusCode(of error: any Error) -> Int {
  switch error {
  case let failure as CallFailure: failure.status
  case let error as DepthError:
    switch error.code {
    case .invalidArgument: DEPTH_INVALID_ARGUMENT
    case .unreadable: DEPTH_UNREADABLE
    case .unsupportedFormat: DEPTH_UNSUPPORTED_FORMAT
    case .damaged: DEPTH_DAMAGED
    case .tooLarge: DEPTH_TOO_LARGE
    case .insufficientMemory: DEPTH_INSUFFICIENT_MEMORY
    case .unknownUnit: DEPTH_UNKNOWN_UNIT
    case .sizeMismatch: DEPTH_SIZE_MISMATCH
    case .noDepth: DEPTH_NO_DEPTH
    case .missingWeights, .weightsMismatch: DEPTH_WEIGHTS
    default: DEPTH_OTHER
    }
  default: DEPTH_OTHER
  }
}

/// Writes the status and the message to the caller's structure, and truncates a long message between characters.
private func report(
  _ status: depth_status, _ message: String, to failure: UnsafeMutablePointer<depth_failure>?
) {
  guard let failure = unsafe failure else { return }
  let raw = UnsafeMutableRawPointer(failure)
  let (statusOffset, textOffset) = (4, 8)
  let size = unsafe Int(raw.load(as: UInt32.self))
  guard size >= textOffset else { return }
  unsafe raw.storeBytes(of: status, toByteOffset: statusOffset, as: depth_status.self)
  let room = min(size, MemoryLayout<depth_failure>.size) - textOffset
  guard room > 0 else { return }
  var bytes = Array(message.utf8.prefix(room - 1))
  while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
  for (index, byte) in (bytes + [0]).enumerated() {
    unsafe raw.storeBytes(of: byte, toByteOffset: textOffset + index, as: UInt8.self)
  }
}
