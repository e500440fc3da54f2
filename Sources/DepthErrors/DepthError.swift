public import SystemEssentials

/// The reason why a call failed.
///
/// Programs use ``code``. People read the description, one sentence that gives the file, what was expected and what was found. Besides
/// this error, the library throws only `CancellationError`, and the errors of Swift's encoders and decoders.
///
/// ```swift
/// do {
///   _ = try estimator.depth(of: Image(contentsOf: file))
/// } catch let error as DepthError where error.code == .insufficientMemory {
///   // Try a smaller photo.
/// }
/// ```
public struct DepthError: Error, Sendable {
  /// The kind of failure.
  public let code: Code
  /// The file at fault, as the caller named it.
  public let file: String?
  /// What is wrong, in one lower-case sentence without the file's name.
  public let message: String
  /// The underlying error, such as that of a system call.
  public let cause: (any Error)?

  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - file: The file at fault, if there is one.
  ///   - message: What is wrong, in one lower-case sentence without the file's name.
  ///   - cause: The underlying error.
  public init(_ code: Code, file: String? = nil, _ message: String, cause: (any Error)? = nil) {
    (self.code, self.file, self.message, self.cause) = (code, file, message, cause)
  }
}

extension DepthError: Equatable {
  /// Whether code, file and message are equal; causes are not compared.
  public static func == (left: DepthError, right: DepthError) -> Bool {
    (left.code, left.file, left.message) == (right.code, right.file, right.message)
  }
}

extension DepthError: CustomStringConvertible {
  /// The message, after the file's name if there is one.
  public var description: String { file.map { "\($0): \(message)" } ?? message }
}

extension DepthError: LocalizedError {
  /// The ``description``, for `localizedDescription`.
  public var errorDescription: String? { description }
}
