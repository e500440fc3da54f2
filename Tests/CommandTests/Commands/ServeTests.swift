import ArgumentParser
import DepthBase
import DepthEffects
import DepthImages
import LocalHTTP
import Synchronization
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthCommands

@Suite struct ServeTests {
  @Test(
    "the printed address opens the page on this machine",
    arguments: [
      ("0.0.0.0", "http://127.0.0.1:8080/"), ("::", "http://127.0.0.1:8080/"),
      ("::1", "http://[::1]:8080/"), ("[::1]", "http://[::1]:8080/"), ("box", "http://box:8080/"),
    ])
  func thePageHasAnAddress(host: String, address: String) throws {
    let options = try ServeAddressOptions.parse(["--host", host])
    #expect(options.page(port: 8080, under: "", secret: nil) == address)
    #expect(options.page(port: 8080, under: "/a", secret: "s") == "\(address)a/#token=s")
  }

  /// Several threads make parts of a picture at once.
  @Test("progress is reported in order") func progressIsReportedInOrder() {
    for _ in 0..<200 {
      let shown = Mutex<[Double]>([])
      let progress = ShownProgress { share in
        sched_yield()
        shown.withLock { $0.append(share) }
      }
      let next = Atomic<Int>(0)
      let reportAll: @Sendable () -> Void = {
        while case let part = next.add(1, ordering: .relaxed).oldValue, part <= 100 {
          progress.report(Double(part) / 100)
        }
      }
      WorkerThreads.run(4, every: 1000, tick: {}, reportAll)
      let shares = shown.withLock { $0 }
      #expect(shares == shares.sorted() && shares.last == 1)
    }
  }

  @Test("clients get right answers despite faulty clients")
  func clientsGetRightAnswersWhateverOthersDo() async throws {
    let outcome = try await onOwnThread {
      try CommandLineTool(at: "/usr/bin/env").run([
        "python3", PackageFile.path("Scripts/checks/check-server.py"), "--requests", "150",
        "--program",
        depthTool.path,
      ])
    }
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }

  @Test(
    "the page shows the command line's results",
    .enabled(if: ExternalReader.opensPages, ExternalReader.opensNoPages))
  func thePageShowsTheCommandsResults() throws {
    let outcome = try CommandLineTool(at: "/usr/bin/env").run([
      ExternalReader.python, PackageFile.path("Scripts/checks/check-page.py"), "--program",
      depthTool.path,
    ])
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }

  @Test(
    "a bad address or option of serve is refused with the reason",
    arguments: [
      (["--host", "0.0.0.0"], 64, "expected --token"),
      (["--host", "192.0.2.1"], 64, "expected --token"),
      (["--token", "short"], 64, "16 to 256 letters"),
      (["--token", "with a space in it"], 64, "16 to 256"),
      (["--port", "70000"], 64, "expected 0 to 65535"), (["--queue", "0"], 64, "--queue is 0"),
      (["--threads", "0"], 64, "--threads is 0"),
      (
        ["--host", "192.0.2.1", "--token", "0123456789abcdef"], 1,
        "expected a name or an address of this machine"
      ),
      (
        ["--host", "no.such.host.invalid", "--token", "0123456789abcdef"], 64,
        "--host is no.such.host.invalid, expected a name or an address of this machine"
      ),
      (["--host", "256.1.1.1"], 64, "--host is 256.1.1.1, expected a name or an address"),
    ])
  func badAddressesAreOneSentence(arguments: [String], status: Int32, message: String) throws {
    let outcome = try runDepth(["serve"] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(
    "the Accept header chooses the form of an answer",
    arguments: [
      (nil, "image/png"), ("*/*", "image/png"), ("application/json", "application/json"),
      ("application/*", "application/x-npy"),
      ("image/png;q=0.1, application/json", "application/json"),
      ("image/png;q=0, */*", "application/x-npy"), ("text/html, image/*;q=0.5", "image/png"),
      ("APPLICATION/JSON ; q=1.0", "application/json"), ("text/html", nil),
      ("", "image/png"), (" , ", "image/png"),
      ("*/*;q=0", nil),
    ] as [(String?, String?)])
  func acceptChoosesTheForm(accept: String?, wanted: String?) throws {
    let types = MediaTypes(offered: ["image/png", "application/x-npy", "application/json"])
    let found = try? types.best(for: accept)
    #expect(found == wanted)
  }

  private func asked<Wanted: Request>(_ text: String, for type: Wanted.Type) throws -> Wanted {
    let head = try HTTPRequestHead(parsing: Array("POST /?\(text) HTTP/1.1\r\nHost: h\r\n".utf8))
    return try HTTPRequest(head: head, body: []).asked(for: type)
  }

  @Test("parameters of a request are options of the command line")
  func parametersAreOptionsOfTheCommandLine() throws {
    let parsed = try asked("effect=mask&photo=x&focus=-0", for: EffectQuery.self)
    #expect(parsed.effect.depthFocus == .normalized(0) && parsed.open.photo == "x")
    #expect(
      try asked("effect=mask&focus-at=3,4", for: EffectQuery.self).effect.depthFocus
        == .point(x: 3, y: 4))
    for text in [
      "focus=2", "focus", "help", "focus=1&focus-at=1,1", "-x=1", "Focus=1", "=1",
      "focus=1&other=1",
    ] {
      let refusal = #expect(throws: HTTPRefusal.self) {
        try asked("effect=mask&\(text)", for: EffectQuery.self)
      }
      #expect(refusal?.status == .badRequest, "\(text)")
    }
  }

  @Test(
    "a flag of a request is bare, true or false",
    arguments: [("", false), ("fill", true), ("fill=true", true), ("fill=false", false)])
  func flagsHaveThreeForms(text: String, isOn: Bool) throws {
    #expect(try asked(text, for: DepthRequest.self).map.refinement.fill == isOn)
  }

  @Test(
    "a refusal names the wrong parameter and the expected value",
    arguments: [
      ("help", "the parameter help is unknown"),
      ("version=true", "the parameter version is unknown"),
      ("experimental-dump-help", "the parameter experimental-dump-help is unknown"),
      ("overwrite=false", "the parameter overwrite is unknown"),
      (
        "min_confidence=0.5",
        "the parameter min_confidence is unknown; did you mean 'min-confidence'?"
      ),
      ("fovv=60", "the parameter fovv is unknown; did you mean 'fov'?"),
      ("fill=yes", "fill is 'yes', expected true or false"),
      ("fov=", "the parameter fov is empty, expected a value"),
      ("fov&fill", "the parameter fov is empty, expected a value"),
      ("fill&fill", "the parameter fill is given twice, expected once"),
      ("fov=60&fov=70", "the parameter fov is given twice, expected once"),
      ("fov=x", "fov is 'x', expected a number"),
      ("fov=180", "fov is 180.0, expected 1 to 179 degrees"),
    ])
  func wrongParametersAreNamed(text: String, reason: String) throws {
    let refusal = #expect(throws: HTTPRefusal.self) {
      try asked(text, for: DepthRequest.self)
    }
    #expect(refusal == HTTPRefusal(.badRequest, reason))
  }
}
