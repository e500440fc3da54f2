import ArgumentParser
package import DepthOptions
import DepthPipeline
package import LocalHTTP
import PhotoRuns

/// `?effect=…` with the options that `depth effect` has for it.
package struct EffectQuery: Sendable {
  package let camera: CameraOptions
  package let effect: PhotoEffect
  /// Pixels of the photo that the effect is applied to, at most.
  package let maximumPixels: Int?

  private struct FocusAndShape: ParsableArguments {
    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var camera: CameraOptions
  }

  private struct Blur: ParsableArguments {
    @OptionGroup var focus: FocusOptions
    @OptionGroup var lens: LensOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var camera: CameraOptions

    func validate() throws { try lens.check(shape) }
  }

  private struct Haze: ParsableArguments {
    @OptionGroup var haze: HazeOptions
    @OptionGroup var camera: CameraOptions
  }

  /// - Throws: `HTTPRefusal` with status 400.
  package init(_ head: HTTPRequestHead) throws {
    let others: Set = ["effect", "photo", "draft", "max-pixels"]
    maximumPixels = try head.parameter("max-pixels").map { text in
      guard let pixels = Int(text), pixels > 0 else {
        throw HTTPRefusal(.badRequest, "max-pixels is '\(text)', expected a positive number")
      }
      return pixels
    }
    let name = head.parameter("effect") ?? ""
    switch name {
    case "blur":
      let query = try Blur.parse(head, besides: others)
      camera = query.camera
      effect = query.lens.effect(
        focus: query.focus.wanted, shape: query.shape.mask, camera: query.camera.setting.given)
    case "haze":
      let query = try Haze.parse(head, besides: others)
      (camera, effect) = (query.camera, query.haze.effect)
    case "mask", "spotlight", "highlight":
      let query = try FocusAndShape.parse(head, besides: others)
      let (focus, shape) = (query.focus.wanted, query.shape.mask)
      camera = query.camera
      effect =
        switch name {
        case "mask": .mask(focus, shape)
        case "spotlight": .spotlight(focus, shape)
        default: .highlight(focus, shape)
        }
    default:
      throw HTTPRefusal(
        .badRequest, "the effect is '\(name)', expected mask, spotlight, highlight, haze or blur")
    }
  }
}
