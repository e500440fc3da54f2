import Foundation
import LocalHTTP
import Testing
import _TestSupport

@testable import DepthCommands

/// The addresses of the service, and the clients that may use them.
@Suite struct ServiceRouterTests {
  @Test(
    "addresses have their status and type",
    arguments: [
      ("GET /", .ok, "text/html; charset=utf-8"), ("HEAD /", .ok, "text/html; charset=utf-8"),
      ("GET /example.jpg", .ok, "image/jpeg"), ("GET /doorway.jpg", .ok, "image/jpeg"),
      ("GET /healthz", .ok, "application/json"), ("GET /v1/openapi.json", .ok, "application/json"),
      ("GET /favicon.ico", .noContent, nil), ("GET /other.jpg", .notFound, "application/json"),
      ("GET /v1/photos/0/depth", .notFound, "application/json"),
      ("GET /v1/photos/0/confidence", .notFound, "application/json"),
      ("GET /v1/photos/0/other", .notFound, "application/json"),
      ("GET /v1/photos/0", .notFound, "application/json"),
      ("GET //v1/depth", .notFound, "application/json"),
      ("GET /v1/depth", .methodNotAllowed, "application/json"),
      ("POST /", .methodNotAllowed, "application/json"),
      ("POST /v1/photos/0/depth", .methodNotAllowed, "application/json"),
    ] as [(String, HTTPStatus, String?)])
  func addressesHaveTheirAnswers(target: String, status: HTTPStatus, type: String?) throws {
    let answer = try AskedService().answer(target)
    #expect(answer.status == status && answer["Content-Type"] == type, "\(answer.reason)")
  }

  @Test("an answer to a wrong method names right methods") func otherMethodsAreTold() throws {
    let asked = try AskedService()
    #expect(try asked.answer("POST /healthz")["Allow"] == "GET, HEAD")
    #expect(try asked.answer("GET /v1/stereo")["Allow"] == "POST")
    #expect(try asked.answer("HEAD /v1/photos/0/depth")["Allow"] == "GET")
  }

  @Test("each page has its own policy") func eachPageHasItsOwnPolicy() throws {
    let asked = try AskedService()
    let pages = try (0..<2).map { _ in try asked.answer("GET /") }
    let policies = try pages.map { try #require($0["Content-Security-Policy"]) }
    #expect(policies[0] != policies[1])
    for (page, policy) in zip(pages, policies) {
      let nonce = try #require(policy.split(separator: "'").first { $0.hasPrefix("nonce-") })
      #expect(page.text.contains("nonce=\"\(nonce.dropFirst(6))\""))
      #expect(page["X-Frame-Options"] == "DENY")
    }
  }

  @Test("only work requires the token") func theTokenProtectsWork() throws {
    let (token, asked) = ("abcdefgh-12345678", try AskedService(token: "abcdefgh-12345678"))
    for target in ["/v1/depth", "/v1/photos", "/v1/export", "GET /v1/photos/0/depth"] {
      for given in [nil, "Bearer \(token)x", "Bearer", "Basic \(token)", token] {
        let answer = try asked.answer(
          target, to: TestPhoto.file, headers: given.map { ["Authorization": $0] } ?? [:])
        #expect(answer.status == .unauthorized && answer["WWW-Authenticate"] == "Bearer")
      }
      let answer = try asked.answer(
        target, to: TestPhoto.file, headers: ["Authorization": "bearer \(token)"])
      #expect(answer.status == (target.hasPrefix("GET") ? .notFound : .ok))
    }
    for target in ["GET /", "GET /healthz", "GET /example.jpg"] {
      #expect(try asked.answer(target).status == .ok)
    }
    #expect(try asked.openCount() == 1)
  }

  @Test(
    "requests of other sites' pages are refused",
    arguments: [
      (["Host": "evil.example"], .misdirected), (["Host": "127.0.0.1:8080"], .misdirected),
      (["Origin": "http://evil.example"], .forbidden), (["Origin": "http://127.0.0.1"], .ok),
      (["Sec-Fetch-Site": "cross-site"], .forbidden), (["Host": "localhost"], .ok),
    ] as [([String: String], HTTPStatus)])
  func pagesOfOtherSitesAreRefused(headers: [String: String], status: HTTPStatus) throws {
    let asked = try AskedService()
    #expect(try asked.answer("/v1/photos", to: TestPhoto.file, headers: headers).status == status)
    #expect(try asked.openCount() == (status == .ok ? 1 : 0))
  }

  /// A proxy keeps or removes the base path. A path that only begins alike is another path.
  @Test(
    "addresses may have a base path",
    arguments: [
      ("GET /tools/depth/", .ok), ("GET /", .ok), ("GET /tools/depth/healthz", .ok),
      ("GET /healthz", .ok), ("GET /tools/depth", .permanentRedirect), ("GET /tools", .notFound),
      ("GET /tools/depths/healthz", .notFound), ("GET /tools/depth/tools/depth/", .notFound),
      ("POST /tools/depth/v1/facts", .ok), ("POST /v1/facts", .ok),
    ] as [(String, HTTPStatus)])
  func addressesMayHaveABasePath(target: String, status: HTTPStatus) throws {
    let answer = try AskedService(basePath: "/tools/depth").answer(target, to: TestPhoto.file)
    #expect(answer.status == status, "\(answer.reason)")
    #expect(answer["Location"] == (status == .permanentRedirect ? "/tools/depth/" : nil))
    if status == .permanentRedirect {
      #expect(try AskedService().answer(target).status == .notFound)
    }
  }

  @Test("a page under a base path sends requests there") func aPageUnderAPathAsksThere() throws {
    let asked = try AskedService(basePath: "/tools/depth")
    let page = try asked.answer("GET /tools/depth/").text
    for absolute in ["'/v1", "`/v1", "'/healthz", "'/example", "\"/v1", "`/${"] {
      #expect(!page.contains(absolute), "\(absolute)")
    }
    func servers(_ asked: AskedService) throws -> [[String: String]]? {
      try asked.answer("GET /v1/openapi.json").object["servers"] as? [[String: String]]
    }
    #expect(try servers(asked) == [["url": "/tools/depth"]])
    #expect(try servers(AskedService()) == [["url": "/"]])
  }

  @Test("a preflight of an allowed origin needs no token")
  func pagesOfAllowedOriginsAskFirst() throws {
    let asked = try AskedService(token: "abcdefgh-12345678", origins: ["https://photos.example"])
    let headers = [
      "Origin": "https://photos.example", "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization",
    ]
    let answer = try asked.answer("OPTIONS /v1/depth", headers: headers)
    #expect(answer.status == .noContent && answer["Access-Control-Allow-Methods"] == "POST")
    #expect(try asked.answer("OPTIONS /v1/other", headers: headers).status == .notFound)
    let origin = ["Origin": "https://photos.example"]
    #expect(try asked.answer("OPTIONS /v1/depth", headers: origin).status == .methodNotAllowed)
    #expect(
      try asked.answer("/v1/facts", to: TestPhoto.file, headers: origin).status == .unauthorized)
    let token = ["Authorization": "Bearer abcdefgh-12345678"]
    let answered = try asked.answer(
      "/v1/facts", to: TestPhoto.file, headers: origin.merging(token) { $1 })
    #expect(answered.status == .ok)
    let other = headers.merging(["Origin": "https://evil.example"]) { $1 }
    #expect(try asked.answer("OPTIONS /v1/depth", headers: other).status == .forbidden)
  }

  @Test("a log line has quoted words that input cannot break") func logLinesAreWords() {
    let record = HTTPRecord(
      address: "::1", request: "GET /a\"b\u{202E}c", status: .notFound, bytes: 31,
      time: .microseconds(38_240), isCut: false)
    #expect(
      record.line(at: Date(timeIntervalSince1970: 1_764_478_934.25))
        == "2025-11-30T05:02:14.250Z ::1 \"GET /a\\\"b\\u{202E}c\" 404 31 38.2")
    let cut = HTTPRecord(
      address: "", request: nil, status: nil, bytes: 0, time: .milliseconds(5), isCut: true)
    #expect(cut.line().hasSuffix("Z - \"-\" - 0 5.0 cut"))
  }
}
