import MonocularDepth

/// The object that `depth weights info --json` prints, one for each file.
struct WeightsRecord: Encodable {
  let file, architecture, sha256: String
  let bytes, tensors, parameters: Int
  let attributes: [String: String]

  init(file: String, _ report: WeightsReport) {
    self.file = file
    architecture = report.architecture
    (sha256, bytes) = (report.sha256, report.fileBytes)
    (tensors, parameters) = (report.tensors, report.parameters)
    attributes = Dictionary(uniqueKeysWithValues: report.attributes.map { ($0.name, $0.value) })
  }
}

extension WeightsReport {
  /// The name under which a file of this digest was published; empty for files that state their own checksum.
  var origin: String {
    guard isPublished else { return "" }
    // A kind that the user says is part of the identifier.
    let digest = sha256.prefix { $0 != "+" }
    return PublishedNetwork.all.first { $0.sha256 == digest }.map { ", as published: \($0.name)" }
      ?? "; nothing states a checksum to compare it with"
  }

  func text(file: String) -> String {
    let rows = [
      ("file", file),
      ("architecture", architecture),
      ("parameters", "\(parameters) in \(tensors) tensors, \(fileBytes) bytes"),
      ("SHA-256", sha256),
      ("input", input), ("output", output),
    ]
    let named = rows + [("attributes", "")] + attributes.map { ("  \($0.name)", $0.value) }
    let width = (named.map(\.0.count).max() ?? 0) + 2
    return named.map { name, value in
      value.isEmpty
        ? "\(name)\n" : name.padded(to: width) + value + "\n"
    }.joined()
  }
}
