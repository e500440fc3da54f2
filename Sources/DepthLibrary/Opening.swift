public import CDepthLibrary
import DepthBase
import DepthErrors
import MonocularDepth
import WeightsFiles

/// `depth_abi_version`.
@_cdecl("depth_abi_version")
public func abiVersion() -> UInt32 { UInt32(DEPTH_ABI_VERSION) }

/// `depth_version`.
@_cdecl("depth_version")
public func libraryVersion() -> UnsafePointer<CChar> {
  unsafe UnsafeRawPointer(PackageVersion.number.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// `depth_open`.
@_cdecl("depth_open")
public func openEstimator(
  _ options: UnsafePointer<depth_open_options>?, _ estimator: UnsafeMutablePointer<OpaquePointer?>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let estimator = try unsafe required(estimator, "the pointer to the estimator", "a pointer")
    var defaults = unsafe depth_open_options()
    unsafe defaults.mirrored = -1
    // A structure without the precision belongs to a program that was compiled when only float32 was
    // supported.
    if unsafe options == nil { unsafe defaults.precision = Int32(DEPTH_PRECISION_AUTO) }
    let options = try unsafe read(options, defaults: defaults, "depth_open_options")
    let names = try unsafe weightNames(options.weights, count: options.weights_count)
    let mirrored = unsafe options.mirrored
    let precision = try unsafe Precision(caller: options.precision)
    var selection = try EstimatorHandle.weights(
      named: names, averagesMirrored: mirrored == -1 ? false : flag(mirrored, "mirrored"))
    let (inputSize, tokens) = unsafe (options.input_size, options.tokens)
    selection.inputSize = inputSize == 0 ? nil : Int(inputSize)
    selection.tokens = tokens == 0 ? nil : Int(tokens)
    selection.kind = try unsafe weightsKind(options.weights_kind)
    let loaded = try DepthEstimator(
      selection, metres: unsafe yardstick(options.metres),
      threads: unsafe threads(options.threads), precision: precision)
    unsafe estimator.pointee = OpaquePointer(
      Unmanaged.passRetained(EstimatorHandle(loaded)).toOpaque())
  }
}

/// The metric weights that a caller names.
private func yardstick(_ name: UnsafePointer<CChar>?) throws -> WeightsSelection? {
  guard let name = unsafe name else { return nil }
  guard let text = unsafe String(validatingCString: name) else {
    throw CallFailure.invalidArgument("the name of the weights in metres is not UTF-8")
  }
  return try EstimatorHandle.weights(
    named: [text == "default" ? "compact" : text], averagesMirrored: false)
}

private func weightNames(
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, count: UInt32
) throws -> [String] {
  guard let names = unsafe names else { return ["default"] }
  try require(
    OpenedWeights.counts.contains(Int(count)),
    "the number of weights files is \(count), expected 1 to 16")
  return try (0..<Int(count)).map { index in
    guard let name = unsafe names[index], let text = unsafe String(validatingCString: name) else {
      throw CallFailure.invalidArgument(
        "the name of weights \(index) is NULL or not UTF-8, expected a string")
    }
    return text
  }
}

private func weightsKind(_ number: Int32) throws -> WeightsKind? {
  switch Int(number) {
  case DEPTH_WEIGHTS_KIND_OF_FILE: nil
  case DEPTH_WEIGHTS_KIND_INDOOR: .indoor
  case DEPTH_WEIGHTS_KIND_OUTDOOR: .outdoor
  case DEPTH_WEIGHTS_KIND_RELATIVE: .relative
  default:
    throw CallFailure.invalidArgument(
      "weights_kind is \(number), expected one of DEPTH_WEIGHTS_KIND_…")
  }
}

extension Precision {
  /// - Parameter number: One of `DEPTH_PRECISION_…`.
  /// - Throws: ``CallFailure`` for another number.
  fileprivate init(caller number: Int32) throws {
    switch Int(number) {
    case DEPTH_PRECISION_FLOAT32: self = .float32
    case DEPTH_PRECISION_INT8: self = .int8
    case DEPTH_PRECISION_AUTO: self = .auto
    default:
      throw CallFailure.invalidArgument(
        "the precision is \(number), expected one of DEPTH_PRECISION_…")
    }
  }
}

extension Arithmetic {
  /// One of `DEPTH_PRECISION_…`.
  fileprivate var number: Int32 {
    Int32(self == .int8 ? DEPTH_PRECISION_INT8 : DEPTH_PRECISION_FLOAT32)
  }
}

/// `depth_close`.
@_cdecl("depth_close")
public func closeEstimator(_ estimator: OpaquePointer?) {
  guard let estimator = unsafe estimator else { return }
  unsafe Unmanaged<EstimatorHandle>.fromOpaque(UnsafeRawPointer(estimator)).release()
}

/// `depth_precision`.
@_cdecl("depth_precision")
public func estimatorPrecision(
  _ estimator: OpaquePointer?, _ precision: UnsafeMutablePointer<Int32>?,
  _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let estimator = try unsafe EstimatorHandle.estimator(estimator)
    let precision = try unsafe required(precision, "the pointer to the precision", "a pointer")
    unsafe precision.pointee = estimator.precision.number
  }
}

/// `depth_weights_id`.
@_cdecl("depth_weights_id")
public func weightsIdentifier(
  _ estimator: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64,
  _ needed: UnsafeMutablePointer<UInt64>?, _ failure: UnsafeMutablePointer<depth_failure>?
) -> depth_status {
  unsafe call(failure) {
    let bytes = try unsafe Array(
      EstimatorHandle.estimator(estimator).weightsIdentifier().utf8CString)
    if let needed = unsafe needed { unsafe needed.pointee = UInt64(bytes.count) }
    guard let text = unsafe text else { return }
    try require(
      capacity >= UInt64(bytes.count),
      "the buffer of the text has \(capacity) bytes, expected at least \(bytes.count)")
    for (index, byte) in bytes.enumerated() { unsafe text[index] = byte }
  }
}
