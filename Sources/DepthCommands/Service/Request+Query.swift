import DepthRequests
import LocalHTTP

extension HTTPRequest {
  /// What the address and the form's fields ask for.
  ///
  /// - Throws: `HTTPRefusal` with status 400 and what is wrong with a parameter.
  func asked<Wanted: Request>(for type: Wanted.Type) throws -> Wanted {
    let form = try MultipartForm(contentType: head.headers["content-type"])
    let parameters = head.query + (try form?.parameters(in: body) ?? [])
    do {
      return try RequestDecoder.request(type, from: parameters.map { ($0.name, $0.value) })
    } catch let error as InvalidRequest {
      // A photo without a file name may be what is not known.
      if head.parameter("photo") == nil { _ = try form?.file(in: body) }
      throw HTTPRefusal(.badRequest, error.text(dashed))
    }
  }
}

/// Runs what checks a request; its errors become answers of status 400.
func refusing<Value>(_ check: () throws -> Value) throws -> Value {
  do { return try check() } catch let error as InvalidRequest {
    throw HTTPRefusal(.badRequest, error.text(dashed))
  }
}

/// `?photo=ID` in place of a body: a photo that a page has open.
struct OpenPhotoQuery: Request {
  var photo: String?
  /// Whether the photo is taken at the size at which effects are made while a slider moves.
  var draft = false

  func check() throws(InvalidRequest) {
    if draft, photo == nil {
      throw InvalidRequest("`draft` requires `photo`")
    }
  }
}

/// Parameters of `/v1/stereo`.
struct StereoQuery: Request {
  var stereo = StereoRequest()
  var open = OpenPhotoQuery()

  func check() throws(InvalidRequest) {
    try stereo.check()
    try open.check()
  }
}

/// Parameters of `/v1/effect`. The header `Accept` takes the place of `--lossless`.
struct EffectQuery: Request {
  var effect = EffectRequest()
  var open = OpenPhotoQuery()
  /// Pixels of the photo that the effect is applied to, at most.
  var maxPixels: Int?

  func check() throws(InvalidRequest) {
    try effect.check()
    try open.check()
    if let maxPixels, maxPixels < 1 {
      throw InvalidRequest("`maxPixels` is '\(maxPixels)', expected a positive number")
    }
    if open.photo != nil, maxPixels != nil {
      throw InvalidRequest("expected no `maxPixels` for a photo that is open")
    }
  }
}
