import ArgumentParser

/// Options of all effects: photos, their depth, and output files.
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

  /// The request for an effect with these options.
  func request(
    _ name: EffectName, _ focus: FocusOptions? = nil, _ shape: MaskOptions? = nil,
    lens: LensRequest = LensRequest(), haze: HazeRequest = HazeRequest(), is16Bit: Bool = false
  ) -> EffectRequest {
    var mask = shape?.request ?? MaskRequest()
    mask.from = stream.frames.from.compactMap(\.bound).last
    mask.to = stream.to.compactMap(\.bound).last
    return EffectRequest(
      effect: name, focus: focus?.focus, focusAt: focus?.focusAt, lens: lens,
      shape: mask, haze: haze, is16Bit: is16Bit, camera: camera.request,
      picture: output.picture.request(output.metadata))
  }
}
