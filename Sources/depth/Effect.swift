import ArgumentParser
import DepthEffects
import DepthImages
import DepthOptions
import DepthPipeline
import PhotoRuns
import PictureFiles

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
      let (wanted, shape, is16Bit) = (focus.wanted, shape.mask, is16Bit)
      let compression = effect.output.png.compression
      try effect.run(
        "mask", type: .png, focus: focus, words: self.shape.words + (is16Bit ? ["16-bit"] : [])
      ) { photo, depth, threads in
        let mask = try photo.focusMask(depth: depth, focus: wanted, shape: shape, threads: threads)
        guard is16Bit else {
          return try PNGParts.gray8(
            mask.levels, height: mask.height, width: mask.width, compression: compression,
            threads: threads)
        }
        return try PNGParts.gray16(
          mask.samples, height: mask.height, width: mask.width, compression: compression,
          threads: threads)
      }
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
      let (wanted, shape) = (focus.wanted, shape.mask)
      try effect.runPicture("spotlight", focus: focus, words: self.shape.words) {
        try $0.spotlight(depth: $1, focus: wanted, shape: shape, threads: $2)
      }
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
      let (wanted, shape) = (focus.wanted, shape.mask)
      try effect.runPicture("highlight", focus: focus, words: self.shape.words) {
        try $0.colorHighlight(depth: $1, focus: wanted, shape: shape, threads: $2)
      }
    }
  }

  /// `depth effect haze`.
  struct Haze: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "haze",
      abstract: "Haze that thickens with distance, for depth with a unit.")

    @Option(
      help: ArgumentHelp(
        "The β of e^(−β·metres), the share of light that is left, 0 to 100.",
        valueName: "per-metre"))
    var density = 0.3
    @OptionGroup var effect: EffectOptions

    func validate() throws {
      guard (0...100).contains(density) else {
        throw ValidationError("--density is \(density), expected 0 to 100 per metre")
      }
    }

    func run() throws {
      let density = density
      try effect.runPicture("haze", focus: nil, words: ["density=\(density)"]) {
        try $0.haze(depth: $1, density: density, threads: $2)
      }
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
      let (wanted, shape, radius) = (focus.wanted, shape.mask, lens.largestRadius)
      let (style, glass) = (lens.style, lens.lens(camera: effect.camera.setting.given))
      try effect.runPicture("blur", focus: focus, words: self.shape.words + lens.words) {
        switch style {
        case .article:
          try $0.maskedBlur(depth: $1, focus: wanted, shape: shape, radius: radius, threads: $2)
        case .lens: try $0.lensBlur(depth: $1, focus: wanted, lens: glass, threads: $2)
        }
      }
    }
  }
}
