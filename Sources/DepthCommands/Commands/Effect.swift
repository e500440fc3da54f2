import ArgumentParser

/// `depth effect`: filters controlled by depth.
struct Effect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effect",
    abstract: "Add blur, haze or other effects that depend on depth.",
    discussion: """
      All effects but haze have a focus, the depth that stays sharp, bright or in color. --focus 0.75 is a share of \
      the disparity range (0 is farthest, 1 nearest), --focus 2.5m a distance, and --focus-at 320,240 the depth of \
      that pixel. mask, cutout, spotlight and highlight need something at the focus, or a range in its place: \
      --from 2m --to 4m. blur takes a distance outside the depths of the photo too, and then blurs everything. \
      Without -o the result is written beside the photo, as PHOTO_EFFECT.jpg, a mask as PHOTO_mask.png and a cut-out as PHOTO_cutout.png. Examples:

        depth effect blur photo.jpg --focus-at 320,240 --aperture f/1.8 --fov 65
        depth effect highlight photo.heic --focus 0.75
        depth effect mask photo.jpg --depth map.pfm --focus 2.5m -o mask.png
        depth effect cutout photo.jpg --focus subject
        depth effect mask photo.jpg --from 2m --to 4m --soft 20cm -o mask.pfm
        depth effect haze photo.jpg --density 0.2

      --stream applies the effect to frames on standard input, in the formats of 'depth stream'.
      """,
    subcommands: [Mask.self, Cutout.self, Spotlight.self, Highlight.self, Haze.self, Blur.self])

  struct Mask: EffectCommand {
    static let configuration = CommandConfiguration(
      commandName: "mask",
      abstract: "Write a mask as PNG or PFM: white at the depth in focus, black elsewhere.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @Flag(name: .customLong("16-bit"), help: "Write 16 bits per pixel instead of 8.")
    var is16Bit = false
    @OptionGroup var effect: EffectOptions

    func validate() throws {
      try effect.output.checkMask()
      try checkRequest()
    }

    var request: EffectRequest { effect.request(.mask, focus, shape, is16Bit: is16Bit) }
  }

  struct Cutout: EffectCommand {
    static let configuration = CommandConfiguration(
      commandName: "cutout",
      abstract: "Cut out what is at the depth in focus: a PNG that is transparent elsewhere.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    func validate() throws {
      guard !effect.stream.stream else {
        throw ValidationError("cutout requires photos, since frames have no alpha channel")
      }
      try effect.output.checkPNG(for: "a cut-out")
      try checkRequest()
    }

    var request: EffectRequest { effect.request(.cutout, focus, shape) }
  }

  struct Spotlight: EffectCommand {
    static let configuration = CommandConfiguration(
      commandName: "spotlight",
      abstract: "Keep the photo at the depth in focus and make the rest black.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    var request: EffectRequest { effect.request(.spotlight, focus, shape) }
  }

  struct Highlight: EffectCommand {
    static let configuration = CommandConfiguration(
      commandName: "highlight",
      abstract: "Keep color at the depth in focus and turn the rest gray.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    var request: EffectRequest { effect.request(.highlight, focus, shape) }
  }

  struct Haze: EffectCommand {
    static let configuration = CommandConfiguration(
      commandName: "haze",
      abstract: "Add haze that thickens with distance.")

    @OptionGroup var haze: HazeOptions
    @OptionGroup var effect: EffectOptions
    // The parser accepts these options of other effects, since the command has a better error message.
    @Option(help: .hidden) var focus: String?
    @Option(help: .hidden) var focusAt: String?

    func validate() throws {
      guard focus == nil, focusAt == nil else {
        throw ValidationError(
          "haze has no focus, it thickens with distance; --density and --strength set how much")
      }
      try checkRequest()
    }

    var request: EffectRequest { effect.request(.haze, haze: haze.request) }
  }
}
