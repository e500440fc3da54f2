import DepthEvaluation

/// The line that `--json` prints for each set, and for each group of near or far sets.
struct SetRecord: Encodable {
  let dataset, weights: String
  /// Name of the set; `nil` in the line of a group.
  var set: String?
  /// `near` or `far`; `nil` in the line of a set.
  var group: String?
  /// Number of sets in the group; `nil` in the line of a set.
  var sets: Int?
  /// Number of frames in the set; `nil` in the line of a group.
  var frames: Int?
  /// Median true distance in the set; `nil` in the line of a group.
  var distanceM: Double?
  /// Whether the photos of the set are rendered; `nil` in the line of a group.
  var rendered: Bool?
  let rel, delta1, scale: Double
  /// Median of |scale| over the sets of the group; `nil` in the line of a set.
  var scaleMagnitude: Double?
  /// δ1 of maps scaled to the true median.
  let scaledDelta1: Double
  let boundaryF1: Double
  /// The expected relative error with the set's camera, for comparison with `rel`; `nil` for maps
  /// from files.
  let expectedError: Double?
}

extension SetResults {
  private var groups: [(name: String, group: SetGroup)] {
    [("near", near), ("far", far)].compactMap { name, group in group.map { (name, $0) } }
  }

  func records(dataset: String) -> [SetRecord] {
    rows.map { row in
      SetRecord(
        dataset: dataset, weights: predictor, set: row.name, frames: row.frames,
        distanceM: row.distance, rendered: row.isRendered, rel: row.rel, delta1: row.delta1,
        scale: row.scale, scaledDelta1: row.scaledDelta1, boundaryF1: row.boundaryF1,
        expectedError: row.expectedError)
    }
      + groups.map { name, group in
        SetRecord(
          dataset: dataset, weights: predictor, group: name, sets: group.sets, rel: group.rel,
          delta1: group.delta1, scale: group.scale, scaleMagnitude: group.scaleMagnitude,
          scaledDelta1: group.scaledDelta1, boundaryF1: group.boundaryF1,
          expectedError: group.expectedError)
      }
  }

  /// The printed table, with a line for each set and for each of the two groups.
  var table: String {
    let heading = [
      predictor, "frames", "median m", "rel", "expected", "δ1", "scale ln", "|scale|",
      "δ1, true median", "boundary F1",
    ]
    let lines =
      rows.map { row in
        [
          row.name + (row.isRendered ? ", rendered" : ""), "\(row.frames)", row.distance.fixed(2),
          row.rel.fixed(4), row.expectedError?.fixed(4) ?? "", row.delta1.fixed(4),
          row.scale.fixed(3), "", row.scaledDelta1.fixed(4), row.boundaryF1.fixed(4),
        ]
      }
      + groups.map { name, group in
        [
          "\(group.sets) \(name) sets", "", "", group.rel.fixed(4),
          group.expectedError?.fixed(4) ?? "", group.delta1.fixed(4), group.scale.fixed(3),
          group.scaleMagnitude.fixed(3), group.scaledDelta1.fixed(4), group.boundaryF1.fixed(4),
        ]
      }
    return aligned([heading] + lines, leading: 1)
      + "near: a median true distance below 1.2 m; rel and δ1 are means over a set's frames and over sets, scale and "
      + "|scale| medians; rendered sets count in no group\n"
  }
}
