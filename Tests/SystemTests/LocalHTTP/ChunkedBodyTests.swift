import LocalHTTP
import Testing
import _TestSupport

/// Chunked bodies that arrive whole or cut in any pieces.
@Suite struct ChunkedBodyTests {
  private struct Outcome: Equatable {
    var body: String?
    /// Bytes behind the end of the body.
    var rest = 0
    var refusal: HTTPRefusal?
  }

  /// The result for bytes that arrive in pieces.
  private func outcome(_ text: String, pieces: [Int], limit: Int = 100) -> Outcome {
    var body = ChunkedBody(limit: limit)
    var bytes = Array(text.utf8)[...]
    for count in pieces + [bytes.count] {
      let piece = bytes.prefix(count)
      do throws(HTTPRefusal) {
        let taken = try body.take(piece)
        if body.isComplete {
          let rest = bytes.count - taken
          return Outcome(body: String(decoding: body.bytes, as: UTF8.self), rest: rest)
        }
        #expect(taken == piece.count, "an incomplete body takes all bytes")
      } catch { return Outcome(refusal: error) }
      bytes = bytes.dropFirst(count)
    }
    return Outcome()
  }

  /// Outcomes for one piece, single bytes, all cuts into two pieces, and uneven pieces.
  private func outcomes(_ text: String, limit: Int = 100) -> [Outcome] {
    let count = text.utf8.count
    let stream = CounterStream("pieces of chunks")
    let uneven = (0..<20).map { round in (0..<count).map { Int(stream[round * count + $0] % 7) } }
    let splits = [[], Array(repeating: 1, count: count)] + (0...count).map { [$0] } + uneven
    return splits.map { outcome(text, pieces: $0, limit: limit) }
  }

  @Test(
    "a chunked body does not depend on the arriving pieces",
    arguments: [
      ("0\r\n\r\n", "", 0), ("5\r\nhello\r\n0\r\n\r\n", "hello", 0),
      ("2\r\nhe\r\n003\r\nllo\r\n000\r\n\r\nGET /", "hello", 5),
      (
        "a\r\n0123456789\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
        "0123456789abcdefghijklmnopqrstuvwxyz", 0
      ),
      ("4\r\n\r\n0\r\r\n2\r\n\n0\r\n0\r\n\r\n", "\r\n0\r\n0", 0),
      ("3;name=\"v;1\"\r\nabc\r\n0 ; last\r\n\r\n", "abc", 0),
      (
        "1;" + String(repeating: "e", count: ChunkedBody.extensionBytes - 1) + "\r\na\r\n0\r\n\r\n",
        "a", 0
      ),
    ])
  func bodiesAreTheSameInAnyPieces(text: String, body: String, rest: Int) {
    for found in outcomes(text) { #expect(found == Outcome(body: body, rest: rest)) }
  }

  @Test(
    "an ambiguous chunked body is refused",
    arguments: [
      "g\r\n", "\r\n", "0x5\r\nhello\r\n", "-1\r\n", "+5\r\nhello\r\n", " 5\r\nhello\r\n",
      "5 \r\nhello\r\n", "5\nhello\r\n", "5\rhello\r\n0\r\n\r\n", "5\r\r\nhello", "5 x\r\nhello",
      "5;\u{0}\r\nhello", "5;a\rb\r\nhello", "5\r\nhello\n0\r\n\r\n", "5\r\nhello!\r\n",
      "5\r\nhell\r\n0\r\n\r\n", "00000000000000005\r\nhello", "0\r\nName: value\r\n\r\n", "0\r\n\n",
      "0\r\nGET / HTTP/1.1\r\n\r\n",
      "5;" + String(repeating: "e", count: ChunkedBody.extensionBytes) + "\r\nhello",
      String(repeating: "1", count: 400),
    ])
  func ambiguousChunksAreRefused(text: String) {
    let found = outcomes(text)
    #expect(found[0].refusal?.status == .badRequest, "\(found[0])")
    for other in found { #expect(other == found[0]) }
  }

  /// The limit counts decoded bytes.
  @Test(
    "a chunked body over the limit is refused by its announced length",
    arguments: [
      ("5\r\n", 4, true), ("3\r\nabc\r\n2\r\n", 4, true), ("7fffffffffffffff\r\n", 4, true),
      ("8000000000000000\r\n", .max, true), ("ffffffffffffffff\r\n", .max, true),
      ("3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n", 4, false),
    ])
  func longBodiesAreRefused(text: String, limit: Int, isLong: Bool) {
    for found in outcomes(text, limit: limit) {
      // Such lengths exceed any memory, and the body is incomplete.
      #expect((found.refusal?.status == .tooLarge) == (isLong && limit < .max), "\(found)")
      #expect((found.body == nil) == isLong)
    }
  }
}
