import DepthImages
import ProximityAlerts
import Testing

@testable import DepthCommands

/// A scan's line, and names of films in commands.
@Suite struct ScanRecordTests {
  /// Readers discard distances outside the scan's stated range.
  @Test("a scan states a range that includes all its distances") func aScanHoldsItsRanges() {
    func record(_ metres: [Float]) -> ScanRecord {
      let map = DepthMap(height: 1, width: metres.count, unit: .metres, values: metres)
      let camera = Camera(width: metres.count, height: 1, focalLength: 100)
      return ScanRecord(ColumnScan(map, camera: camera, rows: -1...2), frame: 0, time: 0)
    }
    let room = record([0.5, 0, 9])
    #expect(room.rangeMin == 0.1 && room.rangeMax == 20)
    let street = record([0.05, 0, 55])
    #expect(street.rangeMin <= 0.05 && street.rangeMax >= 55)
    #expect(street.ranges.compactMap(\.self).allSatisfy { $0 <= street.rangeMax })
  }

  @Test("names in commands are quoted for a shell") func namesInCommandsAreQuoted() {
    #expect("film-1.mp4".quotedForShell == "film-1.mp4")
    #expect("my film.mp4".quotedForShell == "'my film.mp4'")
    #expect("-a'b;c".quotedForShell == #"'./-a'\''b;c'"#)
  }
}
