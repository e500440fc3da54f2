/// The parameter sets of HEVC, which a file stores outside the stream.
///
/// > Source: ITU-T H.265, 7.3.2.1 and annex B; ISO/IEC 14496-15, 8.3.3.1, for the record of MP4 and Matroska.
struct HEVCParameters: Sendable {
  private let bytes: [UInt8]

  /// - Parameter text: ffprobe's dump of the bytes: lines such as `00000010: fdf8 f800 000f 0420  ....... `.
  init(dump text: String) {
    bytes = text.split(separator: "\n").flatMap { line -> [UInt8] in
      guard let colon = line.firstIndex(of: ":") else { return [] }
      // A line has eight groups of four digits, followed by the bytes as text.
      let figures = line[colon...].dropFirst(2).prefix(39).compactMap(\.hexDigitValue)
      return stride(from: 0, to: figures.count - 1, by: 2).map {
        UInt8(figures[$0] << 4 | figures[$0 + 1])
      }
    }
  }

  /// The number of layers of a picture in the first video parameter set; 1 without a parameter set.
  var layers: Int {
    guard let set = units.first(where: { $0.count > 4 && $0.first.map { $0 >> 1 & 63 } == 32 })
    else { return 1 }
    // After the header follow an identifier of 4 bits, 2 flags, and the number of layers in 6 bits.
    let start = set.startIndex + 2
    return (Int(set[start] & 3) << 4 | Int(set[start + 1] >> 4)) + 1
  }

  /// The NAL units, each preceded by a length, or else by `00 00 01`.
  private var units: [ArraySlice<UInt8>] {
    guard bytes.count > 23, bytes[0] == 1 else {
      let starts = bytes.indices.dropLast(3).filter {
        bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1
      }
      return starts.map { bytes[($0 + 3)...] }
    }
    var (units, place) = ([ArraySlice<UInt8>](), 23)
    for _ in 0..<bytes[22] {
      guard place + 3 <= bytes.count else { break }
      let count = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      place += 3
      for _ in 0..<count {
        guard place + 2 <= bytes.count else { return units }
        let end = place + 2 + (Int(bytes[place]) << 8 | Int(bytes[place + 1]))
        guard end <= bytes.count else { return units }
        units.append(bytes[place + 2..<end])
        place = end
      }
    }
    return units
  }
}
