public import SystemEssentials

/// Why something failed: the only error that the library throws.
///
/// Programs decide by ``code``; people read the description, one sentence that names the file, what was
/// expected and what was found.
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
  /// What failed underneath, such as a call of the system.
  public let cause: (any Error)?

  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - file: The file at fault, if there is one.
  ///   - message: What is wrong, without the file's name.
  ///   - cause: What failed underneath.
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
  /// The message after the file's name, where there is one.
  public var description: String { file.map { "\($0): \(message)" } ?? message }
}

extension DepthError: LocalizedError {
  /// The ``description``, for `localizedDescription`.
  public var errorDescription: String? { description }
}
