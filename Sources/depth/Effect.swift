import ArgumentParser
import DepthOptions
import DepthPipeline
import PhotoRuns

/// `depth effect`: filters that depth drives.
struct Effect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effect",
    abstract: "Masks, light, color, haze and blur by depth.",
    discussion: """
      Each effect picks out a depth by --focus: 0.75 is a share of the range of disparity, 0 farthest and 1 \
      nearest; 1.8m is a distance; --focus-at 320,240 takes what a pixel shows. Results go beside the photo, \
      as PHOTO_blur.jpg. Examples:

        depth effect blur photo.jpg --focus-at 320,240 --aperture f/1.8 --fov 65
        depth effect highlight photo.jpg --depth embedded --focus 0.75
        depth effect mask photo.jpg --depth map.pfm --focus 1.8m -o mask.png
        depth effect haze photo.jpg --density 0.2

      --stream applies an effect to each frame of a film, as 'depth stream' takes them.
      """,
    subcommands: [Mask.self, Spotlight.self, Highlight.self, Haze.self, Blur.self])

  /// `depth effect mask`.
  struct Mask: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mask",
      abstract: "White at one depth, black before and behind it; PNG.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @Flag(name: .customLong("16-bit"), help: "16 bits a pixel instead of 8.") var is16Bit = false
    @OptionGroup var effect: EffectOptions

    func validate() throws {
      try effect.output.requirePNG()
    }

    func run() throws {
      try effect.run(
        .mask(focus.wanted, shape.mask, is16Bit: is16Bit), focus: focus,
        words: shape.words + (is16Bit ? ["16-bit"] : []))
    }
  }

  /// `depth effect spotlight`.
  struct Spotlight: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "spotlight",
      abstract: "The photo at one depth, black elsewhere.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    func run() throws {
      try effect.run(.spotlight(focus.wanted, shape.mask), focus: focus, words: shape.words)
    }
  }

  /// `depth effect highlight`.
  struct Highlight: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "highlight",
      abstract: "Color at one depth, gray elsewhere.")

    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    func run() throws {
      try effect.run(.highlight(focus.wanted, shape.mask), focus: focus, words: shape.words)
    }
  }

  /// `depth effect haze`.
  struct Haze: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "haze",
      abstract: "Haze that thickens with distance, or with --strength by the order of distances.")

    @OptionGroup var haze: HazeOptions
    @OptionGroup var effect: EffectOptions

    func run() throws {
      try effect.run(haze.effect, focus: nil, words: haze.words)
    }
  }

  /// `depth effect blur`.
  struct Blur: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "blur",
      abstract: "The blur of a lens that is sharp at one depth.",
      discussion: """
        --aperture f/1.8 is the opening of a real lens in front of a 36 × 24 mm sensor, whose \
        diagonal of 43.27 mm counts for the photo's, whatever its proportions. --focal-length is the \
        photo's, as for the other commands: 50mm on that sensor, from Exif where it is not given; the lens has \
        the same unless --lens says another. A lens may be focused where nothing is: then everything blurs. Without --aperture, --radius says how large discs become.
        """)

    @OptionGroup var focus: FocusOptions
    @OptionGroup var lens: LensOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    func validate() throws {
      if effect.camera.setting.given != nil, effect.depth != nil, lens.aperture == nil {
        throw ValidationError(
          "--focal-length and --fov need --aperture, or depth that is estimated")
      }
    }

    func run() throws {
      try effect.run(
        lens.effect(
          focus: focus.wanted, shape: shape.mask, camera: effect.camera.setting.given),
        focus: focus, words: shape.words + lens.words)
    }
  }
}
