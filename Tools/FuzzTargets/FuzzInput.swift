import SystemEssentials

/// Calls a target by its name, as libFuzzer's C entry does.
///
/// - Returns: 0, or -1 for an unknown name.
@_cdecl("depth_fuzz_one")
public func fuzzOne(
  _ name: UnsafePointer<CChar>, _ bytes: UnsafePointer<UInt8>?, _ count: Int
) -> Int32 {
  guard let target = unsafe FuzzTarget(rawValue: String(cString: name)) else { return -1 }
  unsafe target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// Writes a target's seeds as files.
///
/// - Returns: 0, or -1 where that fails.
@_cdecl("depth_fuzz_seeds")
public func fuzzSeeds(
  _ name: UnsafePointer<CChar>, _ folder: UnsafePointer<CChar>, _ weights: UnsafePointer<CChar>
) -> Int32 {
  guard let target = unsafe FuzzTarget(rawValue: String(cString: name)) else { return -1 }
  do {
    let weights = unsafe URL(filePath: String(cString: weights))
    let folder = unsafe URL(filePath: String(cString: folder))
    for (index, seed) in try target.seeds(weights: weights).enumerated() {
      try Data(seed.bytes).write(to: folder.appending(path: "seed-\(index)"))
    }
  } catch { return -1 }
  return 0
}

/// Prints the names of all targets, one per line.
@_cdecl("depth_fuzz_list")
public func fuzzList() { for target in FuzzTarget.allCases { print(target.rawValue) } }
