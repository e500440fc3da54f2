import DepthBase
import LocalHTTP

/// A client's request: its photo, the parameters of its URL, and the fields of a form.
struct SentRequest {
  let exchange: HTTPExchange
  /// The body or the first file of a form, without a second copy.
  private let file: Result<[UInt8], any Error>
  private let fields: Result<[HTTPRequestHead.Parameter], any Error>

  /// Parses the form, if there is one.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for an unreadable form; `CancellationError`.
  init(_ exchange: HTTPExchange, call: CallContext) throws {
    self.exchange = exchange
    var body = exchange.takeBody()
    let form = try MultipartForm(
      contentType: exchange.head.headers["content-type"], body: body
    ) { try call.cancellation?.check() }
    guard var form else {
      (file, fields) = (.success(body), .success([]))
      return
    }
    body = []
    fields = Result { try form.parameters() }
    file = Result { try form.takeFile() }
  }

  /// Whether the content type is JSON.
  var isJSON: Bool {
    let type = exchange.head.headers["content-type"]?.prefix { $0 != ";" }
    return type?.filter { !$0.isWhitespace }.lowercased() == "application/json"
  }

  /// The photo: the body, or the first file of a form.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for a form without a file.
  func photo() throws -> [UInt8] { try file.get() }

  /// The request formed by the URL's parameters and the form's fields.
  ///
  /// - Throws: `HTTPRefusal` with status 400 for an invalid parameter.
  func asked<Wanted: Request>(for type: Wanted.Type) throws -> Wanted {
    let head = exchange.head
    let parameters = try head.query + fields.get()
    do {
      return try RequestDecoder.request(type, from: parameters.map { ($0.name, $0.value) })
    } catch let error as InvalidRequest {
      // The unknown field may be a photo without a file name.
      if head.parameter("photo") == nil { _ = try file.get() }
      throw HTTPRefusal(.badRequest, error.text(dashed))
    }
  }

  /// The preferred type of several media types.
  ///
  /// - Throws: `HTTPRefusal` with status 406.
  func best(of types: MediaTypes) throws(HTTPRefusal) -> String {
    try types.best(for: exchange.head.headers["accept"])
  }
}

/// Runs a check of a request. Errors of the check become status 400.
func refusing<Value>(_ check: () throws -> Value) throws -> Value {
  do { return try check() } catch let error as InvalidRequest {
    throw HTTPRefusal(.badRequest, error.text(dashed))
  }
}
