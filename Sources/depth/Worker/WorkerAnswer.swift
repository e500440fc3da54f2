import ArgumentParser
import AtomicFiles
import DepthErrors

/// Answers of `depth worker`, a line each.
enum WorkerAnswer {
  /// The kind of a failure, as programs decide by it.
  struct Code: Encodable, Equatable {
    let rawValue: String

    /// The line is not a request: no JSON object, or keys that no request has.
    static let invalidRequest = Code(rawValue: "invalidRequest")
    /// A failure of this photo that has no code of its own.
    static let failed = Code(rawValue: "failed")

    func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
  }

  struct Failure: Encodable, Equatable {
    let code: Code
    /// One sentence that names the file.
    var message: String
    /// Whether the same request may succeed later: the disk was full, or memory short.
    var retry = false
  }

  /// The line of a request that succeeded.
  ///
  /// - Parameter id: The request's `id` as it was written; `nil` for none.
  static func made(id: String?, _ record: some Encodable) -> String {
    do { return line(id, try jsonLine(record)) } catch {
      return failed(id: id, .init(code: .failed, message: "\(error)"))
    }
  }

  static func failed(id: String?, _ failure: Failure) -> String {
    // Two texts and a flag can always be encoded.
    let object = (try? jsonLine(["error": failure])) ?? "{\"error\":null}\n"
    return line(id, object)
  }

  /// - Parameter object: JSON with at least one key.
  private static func line(_ id: String?, _ object: String) -> String {
    "{\"id\":\(id ?? "null"),\(object.dropFirst())"
  }
}

extension WorkerAnswer.Failure {
  init(_ error: any Error) {
    switch error {
    case let error as DepthError:
      self.init(
        code: .init(rawValue: error.code.rawValue), message: "\(error)", retry: error.isTemporary)
    case let conflict as OutputConflict:
      let code: DepthError.Code =
        if case .exists = conflict { .fileExists } else { .invalidArgument }
      self.init(code: .init(rawValue: code.rawValue), message: "\(conflict)")
    case let usage as ValidationError:
      self.init(code: .invalidRequest, message: usage.message)
    default: self.init(code: .failed, message: "\(error)")
    }
  }
}
