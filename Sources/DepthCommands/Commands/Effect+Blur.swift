import ArgumentParser
import DepthPhotos
import MonocularDepth

extension Effect {
  struct Blur: EffectCommand {
    static let configuration = CommandConfiguration(
      commandName: "blur",
      abstract: "Blur like a lens that is focused at one depth.",
      discussion: """
        --aperture f/1.8 simulates a real lens in front of a 36 × 24 mm sensor. The photo's diagonal is taken as \
        this sensor's diagonal, 43.27 mm, whatever the photo's proportions. --focal-length is the focal length that \
        the photo was taken with, on the same sensor (50mm); by default it comes from Exif. The simulated lens has \
        the same focal length, or the one that --lens gives; the photo's is needed in both cases. Without --aperture, \
        --radius sets the largest blur. If nothing lies at the focused distance, everything blurs. --slope, --width \
        and --scaling are only for --style mask.
        """)

    @OptionGroup var focus: FocusOptions
    @OptionGroup var lens: LensOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var effect: EffectOptions

    func validate() throws {
      try checkRequest()
      if effect.camera.setting.givenFocalLength != nil, DepthChoice(effect.depth).isGiven,
        lens.aperture == nil
      {
        throw ValidationError(
          "--focal-length and --fov require --aperture, or depth that is estimated")
      }
    }

    var request: EffectRequest { effect.request(.blur, focus, shape, lens: lens.request) }
  }
}
