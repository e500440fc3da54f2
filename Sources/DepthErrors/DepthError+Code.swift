extension DepthError {
  /// The kind of failure. More may be added, so a `switch` over codes needs a `default`.
  ///
  /// ```swift
  /// do { _ = try Image(contentsOf: url) } catch let error as DepthError where error.code == .damaged {
  ///   print("\(error)")  // the file, what was expected and what was found
  /// }
  /// ```
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name that programs compare, in snake case.
    public let rawValue: String

    /// A code by its name, for comparison with one that a later version may add.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name: ``rawValue``.
    public var description: String { rawValue }

    /// A number, name or setting outside what makes sense for it.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The system does not let the file be read, or it is not there.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The system does not let the file be written; nothing of it is left behind.
    public static let unwritable = Code(rawValue: "unwritable")
    /// There is a file of that name, and it was not to be replaced.
    public static let fileExists = Code(rawValue: "fileExists")
    /// The content is of a kind that is not read, or cannot be written in this format.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The content begins as its format says and then breaks its rules, or ends too early.
    public static let damaged = Code(rawValue: "damaged")
    /// A photo has more pixels than its limits allow.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The work needs more memory than this process may still take.
    public static let insufficientMemory = Code(rawValue: "insufficientMemory")
    /// It is not known, or not as the caller says, what the numbers of a depth map mean.
    public static let unknownUnit = Code(rawValue: "unknownUnit")
    /// Two pictures, or a photo and its depth, have different proportions.
    public static let sizeMismatch = Code(rawValue: "sizeMismatch")
    /// No pixel has a depth where one is needed.
    public static let noDepth = Code(rawValue: "noDepth")
    /// No weights of that name are installed.
    public static let missingWeights = Code(rawValue: "missingWeights")
    /// Weights do not fit the network they describe.
    public static let weightsMismatch = Code(rawValue: "weightsMismatch")
    /// Measured distances contradict the map, or each other.
    public static let contradiction = Code(rawValue: "contradiction")
    /// A data set has no frames, or lacks one half of a pair.
    public static let incompleteDataset = Code(rawValue: "incompleteDataset")
  }
}
