import ArgumentParser
import DepthPipeline
import LocalHTTP

/// `?effect=…` with the options that `depth effect` has for it.
struct EffectQuery: Sendable {
  let camera: CameraOptions
  let effect: PhotoEffect
  /// Pixels of the photo that the effect is applied to, at most.
  let maximumPixels: Int?
  /// How the picture is written.
  let file: FileQuery

  /// The options of `depth effect` for its file. The header `Accept` takes the place of `--lossless`.
  struct FileQuery: ParsableArguments {
    init() {}

    @OptionGroup var picture: PictureFormatOptions
    @OptionGroup var metadata: MetadataOptions

    /// Refuses parameters that have no effect on the picture.
    ///
    /// - Throws: `HTTPRefusal` with status 400.
    func check(isPNG: Bool) throws {
      do { try picture.check(writing: isPNG ? "png" : "jpg") } catch {
        throw HTTPRefusal(.badRequest, "\(error)")
      }
    }
  }

  private struct FocusAndShape: ParsableArguments {
    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var camera: CameraOptions
    @OptionGroup var file: FileQuery
  }

  private struct Mask: ParsableArguments {
    @OptionGroup var focus: FocusOptions
    @OptionGroup var shape: MaskOptions
    @Flag(name: .customLong("16-bit")) var is16Bit = false
    @OptionGroup var camera: CameraOptions
    @OptionGroup var file: FileQuery
  }

  private struct Blur: ParsableArguments {
    @OptionGroup var focus: FocusOptions
    @OptionGroup var lens: LensOptions
    @OptionGroup var shape: MaskOptions
    @OptionGroup var camera: CameraOptions
    @OptionGroup var file: FileQuery

    func validate() throws { try lens.check(shape) }
  }

  private struct Haze: ParsableArguments {
    @OptionGroup var haze: HazeOptions
    @OptionGroup var camera: CameraOptions
    @OptionGroup var file: FileQuery
  }

  /// - Throws: `HTTPRefusal` with status 400.
  init(_ head: HTTPRequestHead) throws {
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
      let query = try Blur.parse(head, besides: others, without: ["lossless"])
      (camera, file) = (query.camera, query.file)
      effect = query.lens.effect(
        focus: query.focus.wanted, shape: query.shape.mask, camera: query.camera.setting.given)
    case "haze":
      let query = try Haze.parse(head, besides: others, without: ["lossless"])
      (camera, file, effect) = (query.camera, query.file, query.haze.effect)
    case "mask":
      let query = try Mask.parse(
        head, besides: others, without: ["lossless", "keep-location", "strip-metadata"])
      (camera, file) = (query.camera, query.file)
      effect = .mask(query.focus.wanted, query.shape.mask, is16Bit: query.is16Bit)
    case "spotlight", "highlight":
      let query = try FocusAndShape.parse(head, besides: others, without: ["lossless"])
      let (focus, shape) = (query.focus.wanted, query.shape.mask)
      (camera, file) = (query.camera, query.file)
      effect = name == "spotlight" ? .spotlight(focus, shape) : .highlight(focus, shape)
    default:
      throw HTTPRefusal(
        .badRequest, "the effect is '\(name)', expected mask, spotlight, highlight, haze or blur")
    }
  }
}
