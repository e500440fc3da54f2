import Testing

@testable import LocalHTTP

/// The places and the room that requests share.
@Suite struct AdmissionTests {
  private func admission(_ change: (inout HTTPLimits) -> Void) -> Admission {
    var limits = HTTPLimits()
    (limits.bodyBytes, limits.bodyBytesTogether) = (10, 100)
    change(&limits)
    return Admission(limits)
  }

  /// Uploads take three quarters of the room together: the rest is that of answers, which let others go on.
  @Test func bodiesOnTheirWayLeaveRoomForAnswers() throws {
    let admission = admission { _ in }
    var first = try #require(admission.enter(.bytes(40)))
    #expect(admission.enter(.bytes(36)) == nil)
    var second = try #require(admission.enter(.bytes(35)))
    let grows = second.grow(by: 1)
    #expect(!grows)
    first.leave()
    second.leave()
    var whole = try #require(admission.enter(.bytes(75)))
    whole.leave()
  }

  /// A body that is worked on has arrived, and the next may come.
  @Test func workGivesTheRoomOfUploadsBack() throws {
    let admission = admission { _ in }
    var first = try #require(admission.enter(.bytes(70)))
    let begins = first.beginWork()
    #expect(begins)
    var second = try #require(admission.enter(.bytes(30)))
    #expect(admission.enter(.bytes(1)) == nil)
    first.leave()
    let grows = second.grow(by: 40)
    #expect(grows)
    second.leave()
  }

  /// Bodies that arrive at the same time are not all worked on at once.
  @Test func noMoreBodiesAreWorkedOnThanRequestsAllowed() throws {
    let admission = admission { $0.requests = 1 }
    var first = try #require(admission.enter(.bytes(1)))
    var second = try #require(admission.enter(.bytes(1)))
    let begin = [first.beginWork(), second.beginWork()]
    #expect(begin == [true, false])
    first.answered(5)
    let begins = second.beginWork()
    #expect(begins)
    first.leave()
    second.leave()
  }
}
