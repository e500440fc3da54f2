import DepthBase
import Foundation
import LocalHTTP
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands
@testable import LocalHTTP

/// Sequences of views for open and for sent photos.
@Suite struct SequenceAnswerTests {
  /// A client that counts checks of its presence, and the photos with reserved memory.
  private final class Watcher: ExchangeConnection {
    let isStopping = false
    let workTime = Duration.seconds(3600)
    let questions = Atomic<Int>(0)
    let reserved = Atomic<Int>(0)
    private let reservations: MemoryReservations

    init(_ reservations: MemoryReservations) { self.reservations = reservations }

    var presence: Connection.Presence {
      questions.add(1, ordering: .relaxed)
      reserved.max(reservations.photos, ordering: .relaxed)
      return .there
    }

    func write(_ bytes: [UInt8]) {}
    func askForBody() {}
  }

  @Test(
    "every view checks whether the client has left",
    arguments: [
      "format=quilt&quilt=5x4&lossless", "format=wiggle&views=11", "format=gif&views=11",
    ])
  func everyViewChecksForItsClient(query: String) throws {
    let asked = try AskedService()
    let id = try asked.open(TestPhoto.file)
    for (target, body) in [
      ("/v1/stereo?photo=\(id)&\(query)", []), ("/v1/stereo?\(query)", TestPhoto.file),
    ] {
      let watcher = Watcher(asked.service.reservations)
      let exchange = try AskedService.exchange("POST \(target)", body, [:], watcher)
      let answer = try asked.handler(exchange.head).answer(exchange)
      #expect(answer.status == .ok, "\(answer.reason)")
      // Each view has at least one check before encoding.
      #expect(watcher.questions.load(ordering: .relaxed) > 20, "\(target)")
      // Memory is reserved in both cases, and freed.
      #expect(watcher.reserved.load(ordering: .relaxed) == 1, "\(target)")
      #expect(asked.service.reservations.photos == 0)
    }
  }

  @Test("a client that leaves ends the views", arguments: [1, 4, 9, 14])
  func aLeavingClientEndsTheViews(questions: Int) throws {
    let asked = try AskedService()
    let id = try asked.open(TestPhoto.file)
    let answer = try asked.answer(
      "/v1/stereo?photo=\(id)&format=quilt&quilt=5x4", client: Client(leavingAfter: questions))
    #expect(answer.status == .unavailable && answer.reason == "the request was cancelled")
    #expect(asked.service.reservations.photos == 0)
  }

  @Test("reading a form ends when its client leaves") func aFormIsReadInTheRequestsTurn() throws {
    let asked = try AskedService()
    let part = "--b\r\nContent-Disposition: form-data; name=x\r\n\r\n1\r\n"
    let type = ["Content-Type": "multipart/form-data; boundary=b"]
    let form = Array((String(repeating: part, count: 200) + "--b--").utf8)
    let gone = try asked.answer(
      "/v1/depth", to: form, headers: type, client: Client(leavingAfter: 50))
    #expect(gone.reason == "the request was cancelled")
    let many = Array((String(repeating: part, count: 1001) + "--b--").utf8)
    let refused = try asked.answer("/v1/depth", to: many, headers: type)
    #expect(refused.status == .badRequest && refused.reason == "the form has more than 1000 parts")
  }
}
