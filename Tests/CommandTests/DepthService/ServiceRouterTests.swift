import LocalHTTP
import Testing
import _TestSupport

@testable import DepthCommands

/// The addresses of the service, and who may ask for them.
@Suite struct ServiceRouterTests {
  @Test(
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

  @Test func otherMethodsAreTold() throws {
    let asked = try AskedService()
    #expect(try asked.answer("POST /healthz")["Allow"] == "GET, HEAD")
    #expect(try asked.answer("GET /v1/stereo")["Allow"] == "POST")
    #expect(try asked.answer("HEAD /v1/photos/0/depth")["Allow"] == "GET")
  }

  /// The policy of a page holds for the page of that answer alone.
  @Test func eachPageHasItsOwnPolicy() throws {
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

  /// The token protects work and what came of it; the page and the health check are for everyone.
  @Test func theTokenProtectsWork() throws {
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
}
