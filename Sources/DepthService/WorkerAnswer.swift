import ArgumentParser
import AtomicFiles
import DepthErrors
import PhotoRuns

/// Answers of `depth worker`, a line each.
package enum WorkerAnswer {
  /// The kind of a failure, as programs decide by it.
  package struct Code: Encodable, Equatable {
    package let rawValue: String

    /// The line is not a request: no JSON object, or keys that no request has.
    package static let invalidRequest = Code(rawValue: "invalidRequest")
    /// A failure of this photo that has no code of its own.
    package static let failed = Code(rawValue: "failed")

    package func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
  }

  package struct Failure: Encodable, Equatable {
    package let code: Code
    /// One sentence that names the file.
    package var message: String
    /// Whether the same request may succeed later: the disk was full, or memory short.
    package var retry = false

    package init(code: Code, message: String, retry: Bool = false) {
      (self.code, self.message, self.retry) = (code, message, retry)
    }
  }

  /// The line of a request that succeeded.
  ///
  /// - Parameter id: The request's `id` as it was written; `nil` for none.
  package static func made(id: String?, _ record: some Encodable) -> String {
    do { return line(id, try jsonLine(record)) } catch {
      return failed(id: id, .init(code: .failed, message: "\(error)"))
    }
  }

  package static func failed(id: String?, _ failure: Failure) -> String {
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
  package init(_ error: any Error) {
    switch error {
    case let error as DepthError:
      self.init(
        code: .init(rawValue: error.code.rawValue), message: Console.text(of: error),
        retry: error.isTemporary)
    case let conflict as OutputConflict:
      let code: DepthError.Code =
        if case .exists = conflict { .fileExists } else { .invalidArgument }
      self.init(code: .init(rawValue: code.rawValue), message: "\(conflict)")
    case let usage as ValidationError:
      self.init(code: .invalidRequest, message: usage.message)
    default: self.init(code: .failed, message: Console.text(of: error))
    }
  }
}
