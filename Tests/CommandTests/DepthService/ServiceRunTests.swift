import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import Foundation
import LocalHTTP
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands

/// Turns, memory and the end of requests.
@Suite struct ServiceRunTests {
  @Test("at most one request for each processor runs at once")
  func asManyWorkAtOnceAsThereAreProcessors() throws {
    let service = try AskedService().service
    let now = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 3 * availableProcessors) { _ in
      #expect(throws: Never.self) {
        try service.run(AskedService.exchange("POST /")) { _ in
          most.max(now.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
          usleep(2000)
          now.subtract(1, ordering: .relaxed)
        }
      }
    }
    #expect((1...availableProcessors).contains(most.load(ordering: .relaxed)))
  }

  /// Running requests take all turns.
  @Test("a waiting request of a leaving client is never run")
  func aLeavingClientsRequestNeverRuns() throws {
    let service = try AskedService().service
    let (begun, end) = (Monitor(0), Monitor(false))
    let ended = DispatchGroup()
    for _ in 0..<availableProcessors {
      ended.enter()
      Thread {
        try? service.run(AskedService.exchange("POST /")) { _ in
          begun.update { $0 += 1 }
          _ = end.wait(upTo: .seconds(600)) { $0 ? true : nil }
        }
        ended.leave()
      }.start()
    }
    #expect(begun.wait(upTo: .seconds(600)) { $0 == availableProcessors ? true : nil } == true)
    #expect(throws: CancellationError.self) {
      try service.run(AskedService.exchange("POST /", [], [:], Client(leavingAfter: 2))) { _ in
        Issue.record("a request without a client ran")
      }
    }
    end.update { $0 = true }
    try waitForAll(of: ended, "the requests that hold all turns")
    #expect(try service.run(AskedService.exchange("POST /")) { _ in 7 } == 7)
  }

  @Test(
    "a client that leaves frees its turn and memory",
    arguments: [
      "/v1/depth", "/v1/photos", "/v1/effect?effect=blur&focus=0.5", "/v1/stereo", "/v1/export",
    ])
  func aLeavingClientFreesItsTurn(target: String) throws {
    let asked = try AskedService()
    var statuses: Set<HTTPStatus> = []
    for questions in 0...2 * availableProcessors + 2 {
      let answer = try asked.answer(
        target, to: TestPhoto.file, client: Client(leavingAfter: questions))
      statuses.insert(answer.status)
      if questions == 0 { #expect(answer.reason == "the request was cancelled") }
    }
    #expect(statuses.contains(.unavailable) && statuses.isSubset(of: [.unavailable, .ok]))
    #expect(try asked.answer(target, to: TestPhoto.file).status == .ok)
  }

  @Test("memory is freed however the work ends") func memoryIsGivenBackHoweverTheWorkEnds() throws {
    let service = try AskedService().service
    let most = MemoryNeed(bytes: MemoryBudget.current.bytes / 3 * 2)
    let asks = Atomic<Int>(0)
    // A request without memory would wait for ever.
    let call = CallContext(
      threads: 1,
      cancellation: Cancellation { asks.add(1, ordering: .relaxed).newValue > 100 })
    for _ in 0..<2 {
      #expect(throws: InvalidRequest.self) {
        try service.withPhoto(
          TestPhoto.file, call: call, need: { _, _ in most },
          { _ in throw InvalidRequest("no work") })
      }
    }
    let size = try service.withPhoto(
      TestPhoto.file, call: call, need: { _, _ in most }, { $0.image.width })
    #expect(size == 64)
  }

  @Test("a lack of memory may be tried again") func aLackOfMemoryMayBeTriedAgain() throws {
    let service = try AskedService().service
    let error = #expect(throws: DepthError.self) {
      try service.withPhoto(
        TestPhoto.file, call: CallContext(threads: 1), need: { _, _ in MemoryNeed(bytes: 1 << 60) },
        { _ in Issue.record("decoded without memory") })
    }
    let answer = HTTPResponse(answering: try #require(error))
    #expect(answer.status == .unavailable && answer["Retry-After"] == "1")
  }

  @Test(
    "an error of the library has its HTTP status",
    arguments: [
      (.unsupportedFormat, .unsupportedMediaType), (.tooLarge, .tooLarge),
      (.insufficientMemory, .unavailable), (.invalidArgument, .badRequest),
      (.missingWeights, .internalError), (.unwritable, .internalError),
      (.damaged, .unprocessable), (.noDepth, .unprocessable), (.unknownUnit, .unprocessable),
    ] as [(DepthError.Code, HTTPStatus)])
  func failuresOfTheLibraryHaveAStatus(code: DepthError.Code, status: HTTPStatus) {
    let answer = HTTPResponse(answering: DepthError(code, file: "the photo", "is \"odd\""))
    #expect(answer.status == status && answer.reason == "the photo: is \"odd\"")
  }

  @Test("an unforeseen failure reveals nothing about the server") func otherFailuresAreNotTold() {
    struct Secret: Error, CustomStringConvertible { let description = "/home/user" }
    let answer = HTTPResponse(answering: Secret())
    #expect(answer.status == .internalError && answer.reason == "the server failed")
  }

  @Test("progress comes before the answer") func progressComesBeforeTheAnswer() throws {
    let client = Client()
    let answer = try AskedService().answer("/v1/photos", to: TestPhoto.file, client: client)
    let parts = client.text.split(separator: "\r\n\r\n")
    #expect(parts.first?.hasPrefix("HTTP/1.1 200 OK") == true)
    #expect(parts.first?.contains("Content-Type: application/x-ndjson") == true)
    let shares = try BatchTests.objects(try #require(parts.last))
      .map { try #require($0["progress"] as? Double) }
    #expect(shares == shares.sorted() && Set(shares).count == shares.count && shares.last == 1)
    #expect(answer.text.hasSuffix("}\n") && answer.text.split(separator: "\n").count == 1)
  }
}
