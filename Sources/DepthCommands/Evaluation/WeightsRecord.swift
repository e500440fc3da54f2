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
  /// The source of the digest with which a file was verified; empty for files that contain their own digest.
  var origin: String {
    guard isPublished else { return "" }
    let kept = isAsKept ? ", as recorded when it was downloaded" : ""
    guard let published else {
      return isAsKept ? kept : "; there is no checksum to compare it with"
    }
    let content = published.content
    let digest = content.bytes == nil ? " with the \(content.digestName) \(content.digest)" : ""
    return "\(kept), as published: \(published.name)\(digest)"
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
