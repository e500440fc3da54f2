import ArgumentParser
import DepthEffects
package import DepthImages
package import DepthOptions
import DepthPipeline
package import LocalHTTP
import PhotoRuns
package import ThreadTeams

/// `?effect=…` with the options that `depth effect` has for it.
package struct EffectQuery: Sendable {
  /// Makes a picture of a photo and its depth.
  package typealias Filter = @Sendable (Image, DepthMap, CallContext) throws -> Image

  /// Masks lose their levels in JPEG.
  package let isMask: Bool
  package let camera: CameraOptions
  package let filter: Filter
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
  }

  private struct Haze: ParsableArguments {
    @Option var density = 0.3
    @OptionGroup var camera: CameraOptions

    func validate() throws {
      guard (0...100).contains(density) else {
        throw ValidationError("--density is \(density), expected 0 to 100 per metre")
      }
    }
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
    isMask = name == "mask"
    switch name {
    case "blur":
      let query = try Blur.parse(head, besides: others)
      let (wanted, shape, radius) = (query.focus.wanted, query.shape.mask, query.lens.largestRadius)
      let (style, glass) = (query.lens.style, query.lens.lens(camera: query.camera.setting.given))
      camera = query.camera
      filter = {
        switch style {
        case .article:
          try $0.maskedBlur(
            depth: $1, focus: wanted, shape: shape, radius: radius, threads: $2.threads)
        case .lens: try $0.lensBlur(depth: $1, focus: wanted, lens: glass, call: $2)
        }
      }
    case "haze":
      let query = try Haze.parse(head, besides: others)
      let density = query.density
      camera = query.camera
      filter = { try $0.haze(depth: $1, density: density, threads: $2.threads) }
    case "mask", "spotlight", "highlight":
      let query = try FocusAndShape.parse(head, besides: others)
      let (wanted, shape) = (query.focus.wanted, query.shape.mask)
      camera = query.camera
      filter = {
        switch name {
        case "mask":
          try $0.focusMask(depth: $1, focus: wanted, shape: shape, threads: $2.threads).picture
        case "spotlight":
          try $0.spotlight(depth: $1, focus: wanted, shape: shape, threads: $2.threads)
        default: try $0.colorHighlight(depth: $1, focus: wanted, shape: shape, threads: $2.threads)
        }
      }
    default:
      throw HTTPRefusal(
        .badRequest, "the effect is '\(name)', expected mask, spotlight, highlight, haze or blur")
    }
  }
}
