import ArgumentParser

/// A command whose options form a request, which is checked once.
protocol RequestCommand: ParsableCommand {
  associatedtype Asked: Request
  var request: Asked { get }
}

extension RequestCommand {
  func validate() throws { try checkRequest() }

  /// - Throws: A validation error.
  func checkRequest() throws { try namingOptions(request.check) }
}

/// A command that makes an effect.
protocol EffectCommand: RequestCommand where Asked == EffectRequest {
  var effect: EffectOptions { get }
}

extension EffectCommand {
  func run() throws { try effect.run(request) }
}
