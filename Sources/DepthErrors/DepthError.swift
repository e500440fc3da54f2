public import SystemEssentials

/// The reason why a call failed.
///
/// ``code`` is for programs. The description is one sentence for people, with the file, the expected content and the found
/// content. Besides this error, the library throws only `CancellationError`, and the errors of Swift's encoders and decoders.
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
  /// The fault, in one lower-case sentence without the file's name.
  public let message: String
  /// The underlying error, such as a system error.
  public let cause: (any Error)?

  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - file: The file at fault, if there is one.
  ///   - message: The fault, in one lower-case sentence without the file's name.
  ///   - cause: The underlying error.
  package init(_ code: Code, file: String? = nil, _ message: String, cause: (any Error)? = nil) {
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
  /// The ``description``, which Foundation uses for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension DepthError {
  /// The kind of failure. Later versions may add kinds, so a `switch` over codes needs a `default`.
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
    /// The unit of a depth map is unknown, contradicts the caller's unit, or does not suffice for the call.
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

extension DepthError {
  /// An argument outside its valid range, such as a number of threads, a radius or a size.
  ///
  /// Such values come from command lines, settings and files, so they cause errors and never end the process.
  ///
  /// - Parameters:
  ///   - name: The name of the argument, in words.
  ///   - found: Its value, as text.
  ///   - expected: The valid values, in words and with units.
  package static func invalidArgument(name: String, found: String, expected: String) -> DepthError {
    DepthError(.invalidArgument, "\(name) is \(found), expected \(expected)")
  }
}

extension Comparable {
  /// Throws unless the value is in a range.
  ///
  /// - Throws: ``DepthError`` with code `invalidArgument`, also for NaN.
  package func checked(in range: ClosedRange<Self>, _ name: String, _ expected: String) throws {
    guard range.contains(self) else {
      let found = (self as? Double).map(\.shortened) ?? "\(self)"
      throw DepthError.invalidArgument(name: name, found: found, expected: expected)
    }
  }
}

extension Double {
  /// The number with at most nine digits. Quotients of entered numbers may have seventeen.
  package var shortened: String {
    guard isFinite, self != 0 else { return "\(self)" }
    var factor = 1.0
    while magnitude * factor < 1e8, factor < 1e100 { factor *= 10 }
    while magnitude * factor >= 1e9 { factor /= 10 }
    return factor >= 1 ? "\((self * factor).rounded() / factor)" : "\(self)"
  }
}

extension DepthError {
  /// The error attributed to this file. The message keeps the name of a previous file.
  package func naming(_ file: String) -> DepthError {
    DepthError(code, file: file, description, cause: cause)
  }

  /// Runs work on a photo or map, and adds the name to errors without a file and to errors about missing depth.
  package static func naming<Value>(_ name: String?, _ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as DepthError
      where error.code == .noDepth || error.file == nil
    {
      throw name.map(error.naming) ?? error
    }
  }

  /// The file cannot be read, or its content ends the reading.
  package static func unreadable(file: String, reason: String) -> DepthError {
    DepthError(.unreadable, file: file, reason)
  }

  /// The file cannot be written; no partial file remains.
  package static func unwritable(file: String, reason: String) -> DepthError {
    DepthError(.unwritable, file: file, reason)
  }

  /// The file exists, and may not be replaced.
  package static func fileExists(_ file: String) -> DepthError {
    DepthError(.fileExists, file: file, "exists already")
  }

  /// The content is of an unsupported kind.
  package static func unsupportedFormat(
    file: String, expected: String, found: String, cause: SettingAtFault? = nil
  ) -> DepthError {
    DepthError(
      .unsupportedFormat, file: file, "holds \(found), expected \(expected)", cause: cause)
  }

  /// The content begins correctly for its format, but then violates the format's rules or ends too early.
  package static func damaged(file: String, format: String, reason: String) -> DepthError {
    DepthError(.damaged, file: file, "damaged \(format): \(reason)")
  }

  /// The extension of an output file selects no format.
  package static func unknownExtension(
    file: String, expected: [String], found: String
  ) -> DepthError {
    DepthError(
      .unsupportedFormat, file: file,
      "\(found.isEmpty ? "has no extension" : "ends in .\(found)"), "
        + "expected \(expected.joined(separator: ", "))")
  }
}

/// Joins words as in `a, b or c`.
package func listed(_ words: [String]) -> String {
  words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
}
