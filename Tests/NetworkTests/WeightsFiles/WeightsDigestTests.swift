import DepthBase
import Testing

@testable import WeightsFiles

/// The digest of weights files without a stated digest.
@Suite struct WeightsDigestTests {
  /// A child of `fork` has no threads of its parent, so a digest on a parent's thread never ends.
  @Test("a forked child computes its own digest") func aChildHashesForItself() throws {
    let calls = Monitor(0)
    let isOver = Monitor(false)
    let digest = WeightsDigest {
      let call = calls.update { calls in
        calls += 1
        return calls
      }
      if call == 1 { _ = isOver.wait { $0 ? true : nil } }
      return "\(call)"
    }
    let parents = Monitor<String?>(nil)
    #expect(
      OwnThread.start {
        let found = try? digest.hexadecimal(forks: 0)
        parents.update { $0 = found }
      })
    calls.wait { $0 == 1 ? () : nil }
    #expect(try digest.hexadecimal(forks: 1) == "2")
    // Child and parent now know the digest.
    #expect(try digest.hexadecimal(forks: 0) == "2")
    isOver.update { $0 = true }
    #expect(parents.wait { $0 } == "1")
  }

  @Test("only a failed digest is computed again") func failureIsNotRemembered() throws {
    struct Unreadable: Error {}
    let calls = Monitor(0)
    let digest = WeightsDigest {
      try calls.update { calls in
        calls += 1
        if calls == 1 { throw Unreadable() }
      }
      return "digest"
    }
    #expect(throws: Unreadable.self) { try digest.hexadecimal() }
    #expect(try digest.hexadecimal() == "digest" && digest.hexadecimal() == "digest")
    #expect(calls.read(\.self) == 2)
  }
}
