import DepthBase
import NeuralEngine
import SystemEssentials

/// Weights as published by their authors, read under the engine's names.
protocol PublishedArchive: WeightsFile {
  var arrays: ArrayFile { get }
  var attributes: [String: PublishedAttribute] { get }
  /// The part of the identifier after the digest of the bytes. It records facts that the user states.
  var identifierSuffix: String { get }
}

extension PublishedArchive {
  var name: String { arrays.file.name }

  var attributeNames: [String] { Array(attributes.keys) }

  func text(_ attribute: String) -> String? {
    if case .text(let text)? = attributes[attribute] { text } else { nil }
  }

  func integers(_ attribute: String) -> [Int]? {
    if case .integers(let integers)? = attributes[attribute] { integers } else { nil }
  }

  func numbers(_ attribute: String) -> [Double]? {
    switch attributes[attribute] {
    case .integers(let integers): integers.map(Double.init)
    case .numbers(let numbers): numbers
    case .text, nil: nil
    }
  }

  func attributeDescription(_ attribute: String) -> String? {
    switch attributes[attribute] {
    case .text(let text): text
    case .integers(let integers): integers.map(String.init).joined(separator: " ")
    case .numbers(let numbers): numbers.map { "\(Float($0))" }.joined(separator: " ")
    case nil: nil
    }
  }

  var fileBytes: Int { arrays.file.size }

  var isPublished: Bool { true }

  /// Always `nil`, because no published file states its own checksum.
  var sha256: String? { nil }

  var identifierSuffix: String { "" }

  func network(among networks: [PublishedNetwork]) throws -> PublishedNetwork? {
    try networks.first { try $0.content.matches(arrays.file) }
  }

  func digestOfAllBytes() throws -> String { try arrays.file.sha256() + identifierSuffix }

  /// Compares the file with the SHA-256, if any, that was stored when the file was fetched.
  func verifyDigest() throws {
    guard let kept = keptSHA256, try arrays.file.sha256() != kept else { return }
    throw arrays.file.damaged("its SHA-256 differs from the one in \(name).sha256")
  }

  var keptSHA256: String? {
    arrays.file.isInMemory ? nil : KeptSHA256.read(beside: URL(filePath: name))
  }
}
