/// The status codes that the server uses.
package enum HTTPStatus: Int, Sendable {
  case ok = 200
  case noContent = 204
  case permanentRedirect = 308
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case notAcceptable = 406
  case requestTimeout = 408
  case tooLarge = 413
  case unsupportedMediaType = 415
  case misdirected = 421
  case unprocessable = 422
  case headersTooLarge = 431
  case internalError = 500
  case notImplemented = 501
  case unavailable = 503
  case gatewayTimeout = 504
  case versionNotSupported = 505

  /// The reason phrase of RFC 9110, section 15.
  var phrase: String {
    switch self {
    case .ok: "OK"
    case .noContent: "No Content"
    case .permanentRedirect: "Permanent Redirect"
    case .badRequest: "Bad Request"
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .notAcceptable: "Not Acceptable"
    case .requestTimeout: "Request Timeout"
    case .tooLarge: "Content Too Large"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .misdirected: "Misdirected Request"
    case .unprocessable: "Unprocessable Content"
    case .headersTooLarge: "Request Header Fields Too Large"
    case .internalError: "Internal Server Error"
    case .notImplemented: "Not Implemented"
    case .unavailable: "Service Unavailable"
    case .gatewayTimeout: "Gateway Timeout"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}
