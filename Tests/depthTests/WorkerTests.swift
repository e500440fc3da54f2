import Foundation
import JSONLines
import Testing
import _TestSupport

@testable import DepthOptions
@testable import DepthService
@testable import FrameRuns
@testable import PhotoRuns
@testable import depth

/// `depth worker`, run as a program that feeds it does.
@Suite(.offPool) struct WorkerTests {
  private static let base = ["worker", "--weights", "compact"]

  private static func answers(_ lines: [String], in folder: TemporaryFolder) throws -> [[String:
    Any]]
  {
    let outcome = try BatchTests.run(base, in: folder, input: lines.map { $0 + "\n" }.joined())
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try BatchTests.objects(outcome.text)
  }

  private static func fault(_ answer: [String: Any]) -> String {
    let error = answer["error"] as? [String: Any]
    return "\(error?["code"] as? String ?? "none"): \(error?["message"] as? String ?? "")"
  }

  /// Options as in `depth predict`: the same bytes, for any number of threads.
  @Test(arguments: ["1", "3"]) func filesAreThoseOfPredict(threads: String) throws {
    let folder = try BatchTests.tree()
    let requests: [(json: String, words: [String])] = [
      (#""output":"OUT.png""#, ["-o", "OUT.png"]),
      (#""output":"OUT.npy","refine":"none""#, ["-o", "OUT.npy", "--refine", "none"]),
      (
        #""output":"OUT.png","detail":0.25,"fill":true,"focal_length":"26mm","linear":false,"resolution":"64x48""#,
        [
          "-o", "OUT.png", "--detail", "0.25", "--fill", "--focal-length", "26mm", "--resolution",
          "64x48",
        ]
      ),
      (
        #""output-dir":"OUT","format":"pfm","view":"OUT/","color_map":"turbo","calibration":null"#,
        ["--output-dir", "OUT", "--format", "pfm", "--view", "OUT/", "--color-map", "turbo"]
      ),
    ]
    var lines: [String] = []
    for (index, request) in requests.enumerated() {
      let predicted = try BatchTests.run(
        ["predict", "p/one.jpg", "--weights", "compact"]
          + request.words.map { $0.replacing("OUT", with: "predicted\(index)") }, in: folder)
      #expect(predicted.status == 0, "\(predicted.errors)")
      let members = request.json.replacing("OUT", with: "worked\(index)")
      lines.append("{\"id\":\(index),\"input\":\"p/one.jpg\",\(members)}")
    }
    let outcome = try BatchTests.run(
      Self.base + ["--threads", threads], in: folder, input: lines.joined(separator: "\n"))
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let answers = try BatchTests.objects(outcome.text)
    #expect(answers.map { $0["id"] as? Int } == [0, 1, 2, 3])
    #expect(answers[1]["width"] as? Int == 160 && answers[1]["weights_id"] is String)
    for name in try BatchTests.files(below: ".", of: folder) where name.hasPrefix("predicted") {
      let worked = name.replacing("predicted", with: "worked")
      #expect(
        try TemporaryFolder.bytes(of: folder.path(name))
          == TemporaryFolder.bytes(of: folder.path(worked)), "\(name)")
    }
  }

  /// The id comes back as it was written, in the order of the lines.
  @Test func identifiersOfAllKinds() throws {
    let ids = [
      "null", "1e400", "-0.10", "123456789012345678901234567890", #""a\u00e9\n\"""#,
      #"{"path": ["x", null]}"#, "[ 1,2 ]", "true",
    ]
    let outcome = try BatchTests.run(
      Self.base, in: TemporaryFolder(),
      input: ids.map { "{\"input\":\"none.jpg\",\"id\":\($0)}\r\n" }.joined())
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.text.split(separator: "\n")
    try #require(lines.count == ids.count)
    for (line, id) in zip(lines, ids) {
      #expect(line.hasPrefix("{\"id\":\(id),\"error\":{\"code\""))
    }
  }

  /// Each bad line gets an answer, and the next request its file.
  @Test func badLinesAreAnswered() throws {
    let folder = try BatchTests.tree()
    _ = try folder.write([1], to: "there.png")
    let long = String(repeating: "x", count: PredictionService.longestLine + 1)
    let cases: [(line: String, fault: String)] = [
      ("", "invalidRequest: the line ends, expected the '{' of an object"),
      ("hello", "invalidRequest: byte 1 is not the '{' of an object"),
      (long, "invalidRequest: the line has more than 1048576 bytes"),
      ("{}", "invalidRequest: expected the key 'input' with the path of a photo"),
      (#"{"input":5}"#, "invalidRequest: expected the key 'input' with the path of a photo"),
      (
        #"{"input":"p/one.jpg\u0000.png"}"#,
        "invalidRequest: a text contains the character U+0000, expected none"
      ),
      (#"{"input":"p"}"#, "invalidRequest: p: is a folder, expected a photo"),
      (
        #"{"input":"//dev/./stdin"}"#,
        "invalidRequest: 'input' is standard input, which has the requests; expected a file"
      ),
      (
        #"{"input":"p/one.jpg","output":"//dev/stdout","format":"png","overwrite":true}"#,
        "invalidRequest: an output is standard output, which has the answers; expected a file"
      ),
      (
        #"{"input":"-"}"#,
        "invalidRequest: 'input' is standard input, which has the requests; expected a file"
      ),
      (
        #"{"input":"p/one.jpg","calibration":"/dev/stdin"}"#,
        "invalidRequest: 'calibration' is standard input, which has the requests; expected a file"
      ),
      (
        #"{"input":"p/one.jpg","output":"-"}"#,
        "invalidRequest: an output is standard output, which has the answers; expected a file"
      ),
      (
        #"{"input":"p/one.jpg","help":true}"#,
        "invalidRequest: 'help' is not a key of a request"
      ),
      (
        #"{"input":"p/one.jpg","weights":"default"}"#,
        "invalidRequest: 'weights' is not a key of a request, but --weights an option of the worker"
      ),
      (
        #"{"input":"p/one.jpg","precision":"int8"}"#,
        "invalidRequest: 'precision' is not a key of a request, but --precision an option of the worker"
      ),
      (
        #"{"input":"p/one.jpg","view":["a.png"]}"#,
        "invalidRequest: 'view' is a list or an object, expected a text or a number"
      ),
      (
        #"{"input":"p/one.jpg","output_dir":"a","output-dir":"b"}"#,
        "invalidRequest: the object has the key 'output-dir' twice"
      ),
      (
        #"{"input":"p/one.jpg","fov":1e999}"#,
        "invalidRequest: 'fov' is inf, expected 1 to 179 degrees"
      ),
      (#"{"input":"p/one.jpg","o":"d.png"}"#, "invalidRequest: 'o' is not a key of a request"),
      (#"{"input":"missing.jpg"}"#, "unreadable: missing.jpg: no such file or folder"),
      (
        #"{"input":"p/one.jpg","output":"there.png"}"#,
        "fileExists: there.png: exists already; 'overwrite' replaces it"
      ),
      (
        #"{"input":"p/one.jpg","output":"p/one.jpg.png","depth_photo":"p/one.jpg","overwrite":true}"#,
        "invalidArgument: p/one.jpg: is an input, expected another name for the output"
      ),
      (
        #"{"input":"p/one.jpg","output":"a.png","sharpen":1}"#,
        "invalidRequest: 'sharpen' is not a key of a request"
      ),
      (
        #"{"input":"p/one.jpg","sharpen":true}"#,
        "invalidRequest: 'sharpen' is not a key of a request"
      ),
      (
        #"{"input":"p/one.jpg","skip_existing":"yes"}"#,
        "invalidRequest: 'skip_existing' is the text 'yes', expected true or false"
      ),
      (#"{"input":"p/notes.txt"}"#, "unsupportedFormat: "),
    ]
    let good = #"{"id":"good","input":"p/one.jpg","refine":"none","overwrite":true}"#
    let answers = try Self.answers(cases.flatMap { [$0.line, good] }, in: folder)
    try #require(answers.count == 2 * cases.count)
    for (index, (line, fault)) in cases.enumerated() {
      #expect(Self.fault(answers[2 * index]).hasPrefix(fault), "\(line.prefix(80))")
      #expect(answers[2 * index]["id"] is NSNull)
      #expect(answers[2 * index + 1]["id"] as? String == "good")
      #expect(answers[2 * index + 1]["outputs"] as? [String] == ["p/one_depth.png"])
    }
    #expect(try TemporaryFolder.bytes(of: folder.path("there.png")) == [1])
  }

  @Test func bytesThatAreNoText() throws {
    let outcome = try depthTool.run(Self.base, input: [0x7B, 0xFF, 0x7D])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("the line is not UTF-8, expected a JSON object"))
  }

  /// What is there already is not made again.
  @Test func skipExisting() throws {
    let folder = try BatchTests.tree()
    let line =
      #"{"id":1,"input":"p/one.jpg","output":"d.png","refine":"none","skip_existing":true}"#
    #expect(try Self.answers([line], in: folder)[0]["skipped"] == nil)
    let made = try TemporaryFolder.bytes(of: folder.path("d.png"))
    let again = try Self.answers([line], in: folder)[0]
    #expect(again["skipped"] as? Bool == true && again["outputs"] as? [String] == ["d.png"])
    #expect(try TemporaryFolder.bytes(of: folder.path("d.png")) == made)
  }

  /// A request is a command line of `depth predict`: each of its options is one or the other, and is a flag or has a
  /// value as the help shows it.
  @Test func everyOptionHasItsPlace() throws {
    let help = try depthTool.run(["predict", "--help"]).text
    var shown: [String: OptionTable.Kind] = [:]
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      // "  -o, --output <file>   Depth file …"
      let label = line.dropFirst(2).split(separator: "  ")[0]
      for name in label.split(whereSeparator: { ", /".contains($0) }) where name.hasPrefix("--") {
        shown[String(name.dropFirst(2))] = label.contains("<") ? .value : .flag
      }
    }
    #expect(shown.count > 30)
    let others: Set = [
      "recursive", "files-from", "null", "manifest", "shard", "weights", "mirrored", "no-mirrored",
      "input-size", "precision", "threads", "json", "quiet",
    ]
    #expect(PredictionRequest.optionsOfOthers == others)
    let keys = shown.filter { !others.union(["help", "version"]).contains($0.key) }
    #expect(PredictionRequest.keys.kinds == keys)
    #expect(keys["overwrite"] == .flag && keys["focal-length"] == .value)
  }

  /// What is wrong with a key is found before the options are parsed, and names it as it was written.
  @Test(arguments: [
    (#""help":"x""#, "'help' is not a key of a request"),
    (#""version":true"#, "'version' is not a key of a request"),
    (#""experimental_dump_help":true"#, "'experimental_dump_help' is not a key of a request"),
    (#""view_beside_photo":true"#, "'view_beside_photo' is not a key of a request"),
    (#""photos":"b.jpg""#, "'photos' is not a key of a request"),
    (#""sharpen":null"#, "'sharpen' is not a key of a request"),
    (#""sharp":1"#, "'sharp' is not a key of a request"),
    (#""o":"d.png""#, "'o' is not a key of a request"),
    (#""--fov":60"#, "'--fov' is not a key of a request. Did you mean 'fov'?"),
    (#""fov=1 --fill":60"#, "'fov=1 --fill' is not a key of a request"),
    (#""ouptut":"d.png""#, "'ouptut' is not a key of a request. Did you mean 'output'?"),
    (
      #""focal-lenght":60"#,
      "'focal-lenght' is not a key of a request. Did you mean 'focal_length'?"
    ),
    (#""shard":"1/2""#, "'shard' is not a key of a request, which is for one photo"),
    (
      #""no_mirrored":null"#,
      "'no_mirrored' is not a key of a request, but --no-mirrored an option of the worker"
    ),
    (#""fill":1"#, "'fill' is 1, expected true or false"),
    (#""keep-location":"yes""#, "'keep-location' is the text 'yes', expected true or false"),
    (#""fill":[true]"#, "'fill' is a list or an object, expected true or false"),
    (#""fov":true"#, "'fov' is true, expected a text or a number"),
    (#""fov":{}"#, "'fov' is a list or an object, expected a text or a number"),
    (#""focal_length":"--fov""#, "The value '--fov' is invalid for 'focal_length'"),
    (#""focal-length":"1 x""#, "The value '1 x' is invalid for 'focal-length'"),
    (#""resolution":"0x0""#, "The value '0x0' is invalid for 'resolution'"),
  ])
  func wrongKeysAreNamed(member: String, fault: String) throws {
    let members = try JSONObjectLine(Array("{\"input\":\"a.jpg\",\(member)}".utf8)).members
    let error = #expect(throws: RequestFault.self) { try PredictionRequest(members) }
    #expect(error?.description == fault)
  }

  @Test func membersAreOptions() throws {
    let text =
      #"{"input":"a.jpg","fill":true,"linear":null,"overwrite":false,"fov":"6e1","min_confidence":0.5}"#
    let options = try PredictionRequest(JSONObjectLine(Array(text.utf8)).members).options
    #expect(options.photos == ["a.jpg"] && options.refinement.fill && !options.output.overwrite)
    #expect(options.camera.fov == 60 && !options.output.view.linear)
  }

  /// Answers come while the input is open, and a reader that goes away ends the worker.
  @Test func aReaderThatGoesAwayEndsTheWorker() throws {
    let outcome = try CommandLineTool(at: "/bin/sh").run([
      "-c",
      "while echo '{}'; do sleep 0.05; done | \"$0\" worker --weights compact | head -n 1",
      depthTool.path,
    ])
    #expect(outcome.text.hasPrefix("{\"id\":null,\"error\":"))
    #expect(outcome.errors.contains("standard output") || outcome.errors.contains("/dev/stdout"))
  }

  /// Messages name what the caller wrote.
  @Test(arguments: [
    ("--focal-length is 0", #"{"focal_length":0}"#, "'focal_length' is 0"),
    (
      "--focal-length and --fov exclude each other", #"{"focal-length":"26mm","fov":60}"#,
      "'focal-length' and 'fov' exclude each other"
    ),
    (
      "d.png: exists already; --overwrite replaces it", "{}",
      "d.png: exists already; 'overwrite' replaces it"
    ),
    ("a--b.png: no such file", "{}", "a--b.png: no such file"),
    (
      "The value 'abc' is invalid for '--focal-length <length>'", #"{"focal-length":"abc"}"#,
      "The value 'abc' is invalid for 'focal-length'"
    ),
    (
      "The value '--fov' is invalid for '--view <file>'", #"{"view":"--fov","fov":60}"#,
      "The value '--fov' is invalid for 'view'"
    ),
    (
      "-o and --output-dir exclude each other", #"{"output":"a.png","output-dir":"b"}"#,
      "'output' and 'output-dir' exclude each other"
    ),
    (
      "--fov.tiff: ends in .tiff, expected .png", #"{"output":"--fov.tiff"}"#,
      "--fov.tiff: ends in .tiff, expected .png"
    ),
    (
      "--fov and --view.tif: ends in .tif", #"{"output":"--fov and --view.tif"}"#,
      "--fov and --view.tif: ends in .tif"
    ),
    (
      "--fov: no such file or folder", #"{"calibration":"--fov","fov":60}"#,
      "--fov: no such file or folder"
    ),
    (
      "--fov is 300, expected 1 to 179", #"{"input":"--fov","fov":300}"#,
      "'fov' is 300, expected 1 to 179"
    ),
    ("set it with --fov.", "{}", "set it with 'fov'."),
  ])
  func messagesNameKeys(text: String, request: String, wanted: String) throws {
    let members = try JSONObjectLine(Array(request.utf8)).members
    #expect(PredictionRequest.keyed(text, members) == wanted)
  }
}
