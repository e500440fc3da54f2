import ArgumentParser

/// Options of all effects: photos, their depth, and the files of the results.
struct EffectOptions: ParsableArguments, PhotoCommand {
  @Argument(help: .photos, completion: .file()) var photos: [String] = []
  @OptionGroup var batch: BatchOptions
  @Option(help: .depthOfPhotos, completion: .file()) var depth: String?
  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var output: EffectOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var stream: PictureStreamOptions
  @OptionGroup var common: CommonOptions

  /// The request of an effect's options, checked.
  ///
  /// - Parameter set: Sets the fields that the effect alone has.
  /// - Throws: A validation error.
  func request(
    _ name: EffectName, _ focus: FocusOptions? = nil, _ shape: MaskOptions? = nil,
    _ set: (inout EffectRequest) -> Void = { _ in }
  ) throws -> EffectRequest {
    var request = EffectRequest()
    (request.effect, request.camera) = (name, camera.request)
    (request.focus, request.focusAt) = (focus?.focus, focus?.focusAt)
    if let shape { request.shape = shape.request }
    request.picture = output.picture.request(output.metadata)
    set(&request)
    try namingOptions(request.check)
    return request
  }
}
