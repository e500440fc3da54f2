#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An argument outside what makes sense for it: a number of threads, a radius, a size.
///
/// Such values come from command lines, settings and files, so they are errors and never end the process.
public struct InvalidArgument: Error, Equatable, Sendable {
  /// What the argument is, in words.
  public let name: String
  /// Its value, as text.
  public let found: String
  /// What would do, in words and with units.
  public let expected: String

  public init(name: String, found: String, expected: String) {
    (self.name, self.found, self.expected) = (name, found, expected)
  }
}

extension InvalidArgument: CustomStringConvertible {
  public var description: String { "\(name) is \(found), expected \(expected)" }
}

extension InvalidArgument: LocalizedError {
  public var errorDescription: String? { description }
}

extension Comparable {
  /// Passes on a value that lies within a range.
  ///
  /// - Throws: ``InvalidArgument``; a value that is no number lies in no range.
  package func checked(in range: ClosedRange<Self>, _ name: String, _ expected: String) throws {
    guard range.contains(self) else {
      throw InvalidArgument(name: name, found: "\(self)", expected: expected)
    }
  }
}
