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

extension DepthError {
  /// The kind of failure. More may be added, so a `switch` over codes needs a `default`.
  ///
  /// ```swift
  /// do { _ = try Image(contentsOf: url) } catch let error as DepthError where error.code == .damaged {
  ///   print("\(error)")  // the file, what was expected and what was found
  /// }
  /// ```
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name that programs compare, in camel case.
    public let rawValue: String

    /// A code of any name, for comparison with codes that later versions add.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name: ``rawValue``.
    public var description: String { rawValue }

    /// A number, name or setting is outside its documented range.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The file does not exist, or the system does not allow it to be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The system does not allow the file to be written; no partial file remains.
    public static let unwritable = Code(rawValue: "unwritable")
    /// A file of that name exists, and the call was not allowed to replace it.
    public static let fileExists = Code(rawValue: "fileExists")
    /// The library does not read content of this kind, or cannot write it in this format.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The content begins correctly for its format, but then violates the format's rules or ends too early.
    public static let damaged = Code(rawValue: "damaged")
    /// A picture or map has more pixels than the limits allow.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The call needs more memory than its limits allow, or than this process may still use.
    public static let insufficientMemory = Code(rawValue: "insufficientMemory")
    /// The unit of a depth map is unknown, contradicts the caller's, or does not suffice for the call.
    public static let unknownUnit = Code(rawValue: "unknownUnit")
    /// Two pictures, or a photo and its depth, have different proportions.
    public static let sizeMismatch = Code(rawValue: "sizeMismatch")
    /// No pixel has a depth where one is needed.
    public static let noDepth = Code(rawValue: "noDepth")
    /// No weights of that name are installed.
    public static let missingWeights = Code(rawValue: "missingWeights")
    /// Weights do not fit their network, the other networks of an estimate, or the precision.
    public static let weightsMismatch = Code(rawValue: "weightsMismatch")
    /// Measured distances contradict the map, or each other.
    public static let contradiction = Code(rawValue: "contradiction")
    /// A data set has no frames, or lacks one half of a pair.
    public static let incompleteDataset = Code(rawValue: "incompleteDataset")
  }
}
