import ArgumentParser
import DepthBase
import MonocularDepth
import SystemEssentials

/// `depth serve`: a page to try depth on, and the same over HTTP.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a web page and an HTTP API for depth of photos.",
    discussion: """
      Prints the page's address and serves until Ctrl-C. Photos are processed on this machine only. Programs can \
      post photos:

        curl --data-binary @photo.jpg http://127.0.0.1:8080/v1/depth -o depth.png
        curl --data-binary @photo.jpg -H 'Accept: application/x-npy' -o d.npy \\
          http://127.0.0.1:8080/v1/depth
        curl --data-binary @photo.jpg -o 3d.jpg \\
          'http://127.0.0.1:8080/v1/stereo?format=anaglyph'
        curl --data-binary @photo.jpg -o b.jpg \\
          'http://127.0.0.1:8080/v1/effect?effect=blur&focus=1.8m'
      """)

  @OptionGroup var address: ServeAddressOptions
  @OptionGroup var limits: ServeLimitOptions
  @OptionGroup var weights: WeightsOptions

  @Option(help: .threads) var threads: Int?

  @Flag(help: "Print nothing on standard error; the address is still printed on standard output.")
  var quiet = false

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }

  func run() throws {
    // Before any thread begins, so that none of them takes the signals that end the server.
    let signals = EndSignals()
    let server = try DepthServer(address, limits)
    let estimator = try weights.estimator(threads: threads)
    let page = try server.start(estimator)
    try Console.write("\(page)\n")
    if !quiet { Console.note("depth: open \(page) in a browser; Ctrl-C stops the server\n") }
    signals.wait()
    // A second Ctrl-C ends the program at once.
    signals.restore()
    server.stop()
  }
}
