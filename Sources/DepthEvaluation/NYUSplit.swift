/// A part of the 1449 labeled frames of NYU Depth v2, as in the set's `splits.mat`.
///
/// No scene is in both parts: of 464 scenes, 249 are for training and 215 for testing.
///
/// > Source: N. Silberman et al. “Indoor Segmentation and Support Inference from RGBD Images.”
/// > ECCV 2012; `trainNdxs` and `testNdxs`, which count from 1.
package enum NYUSplit: String, Sendable, CaseIterable {
  /// 795 frames.
  case train
  /// 654 frames.
  case test
  case all

  /// Number of frames in the whole labeled set.
  package static let frameCount = 1449

  /// Indices of the split's frames in the labeled set, from 0, ascending.
  package var indices: [Int] {
    let test = Self.testRuns.joined()
    switch self {
    case .test: return Array(test)
    case .all: return Array(0..<Self.frameCount)
    case .train:
      let held = Set(test)
      return (0..<Self.frameCount).filter { !held.contains($0) }
    }
  }

  /// The 654 test frames as runs of adjacent frames.
  // swift-format-ignore
  private static let testRuns: [ClosedRange<Int>] = [
    0...1, 8...8, 13...17, 20...20, 27...42, 45...46, 55...56, 58...62, 75...78, 83...90,
    116...118, 124...128, 130...133, 136...136, 152...154, 166...168, 170...175, 179...201,
    206...211, 219...221, 249...249, 263...263, 270...272, 278...284, 295...301, 309...311,
    314...316, 324...334, 350...351, 354...363, 383...389, 394...396, 410...413, 429...434,
    440...447, 461...465, 468...476, 507...512, 514...525, 530...532, 536...538, 548...550,
    554...570, 578...582, 590...593, 602...606, 611...612, 616...620, 632...637, 643...644,
    649...650, 655...657, 662...663, 667...672, 675...680, 685...689, 692...693, 696...698,
    705...712, 716...717, 723...727, 730...733, 742...743, 758...786, 799...803, 809...813,
    820...822, 832...845, 849...851, 856...861, 868...870, 905...907, 916...918, 925...927,
    931...934, 944...946, 958...961, 964...966, 969...976, 990...994, 1000...1003, 1009...1011,
    1020...1022, 1031...1033, 1037...1038, 1047...1048, 1051...1052, 1056...1057, 1074...1083,
    1087...1095, 1097...1103, 1105...1108, 1116...1118, 1122...1130, 1134...1135, 1143...1157,
    1161...1166, 1169...1170, 1173...1175, 1178...1183, 1191...1195, 1200...1211, 1215...1219,
    1225...1229, 1232...1234, 1246...1249, 1253...1264, 1274...1279, 1284...1294, 1296...1298,
    1301...1307, 1313...1314, 1328...1331, 1334...1339, 1346...1348, 1352...1355, 1363...1364,
    1367...1368, 1383...1390, 1393...1400, 1406...1413, 1420...1423, 1429...1432, 1440...1448,
  ]
}
