import ArgumentParser
import DepthEvaluation

/// One protocol, or all of them.
struct ProtocolChoice: ExpressibleByArgument, Equatable {
  let protocols: [EvaluationProtocol]

  static let all = ProtocolChoice(protocols: EvaluationProtocol.allCases)

  init(protocols: [EvaluationProtocol]) { self.protocols = protocols }

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let one = EvaluationProtocol(rawValue: argument) {
      self.init(protocols: [one])
    } else {
      return nil
    }
  }

  var defaultValueDescription: String {
    protocols.count > 1 ? "all" : protocols.first?.rawValue ?? ""
  }
}
