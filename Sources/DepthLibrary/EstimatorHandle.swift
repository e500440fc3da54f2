import CDepthLibrary
import DepthErrors
import MonocularDepth
import SystemEssentials
import WeightsFiles

/// The object behind a `depth_estimator`.
final class EstimatorHandle: Sendable {
  private let estimator: DepthEstimator
  /// The process that opened the estimator.
  private let process = getpid()

  init(_ estimator: DepthEstimator) { self.estimator = estimator }

  /// The estimator behind a caller's pointer, if this process opened it.
  ///
  /// - Throws: ``CallFailure``.
  static func estimator(_ pointer: OpaquePointer?) throws -> DepthEstimator {
    let pointer = try unsafe required(pointer, "the estimator", "one that depth_open returned")
    let handle = unsafe Unmanaged<EstimatorHandle>.fromOpaque(UnsafeRawPointer(pointer))
      .takeUnretainedValue()
    guard handle.process == getpid() else {
      throw CallFailure(
        status: DEPTH_FORKED,
        description: "the estimator was opened by process \(handle.process) and this is its child "
          + "\(getpid()), expected an estimator opened after fork")
    }
    return handle.estimator
  }

  /// The estimator behind a caller's pointer; for `NULL`, a new estimator with the default weights.
  ///
  /// - Throws: ``CallFailure`` or `DepthError`.
  static func estimatorOrDefault(_ pointer: OpaquePointer?) throws -> DepthEstimator {
    if unsafe pointer != nil { return try unsafe estimator(pointer) }
    return try DepthEstimator(
      weights(named: ["default"], averagesMirrored: false), precision: .auto)
  }

  /// Locates the weights with these names beside this library.
  ///
  /// - Throws: `DepthError`.
  static func weights(
    named names: [String], averagesMirrored: Bool
  ) throws -> WeightsSelection {
    try WeightsSelection(
      files: WeightsLocation.files(
        named: names, folders: WeightsLocation.folders(besideExecutable: library)),
      averagesMirrored: averagesMirrored)
  }

  /// The path of this library's file, with symbolic links resolved.
  private static var library: URL {
    guard let name = unsafe cdl_library_path() else { return URL(filePath: "libdepth") }
    return unsafe URL(filePath: String(cString: name)).resolvingSymlinksInPath()
  }
}
