public import ArgumentParser
import DepthImages
import DepthRequests
public import ViewSynthesis

/// Runs what checks a request; its errors name options.
///
/// - Throws: A validation error in place of ``InvalidRequest``.
func namingOptions(_ check: () throws(InvalidRequest) -> Void) throws(ValidationError) {
  do { try check() } catch {
    throw ValidationError(error.text { "--" + dashed($0) }.escapingControls)
  }
}

extension RequestWord where Self: ExpressibleByArgument {
  init?(argument: String) { self.init(word: argument) }
}

extension FocalLengthWord: ExpressibleByArgument {}
extension Length: ExpressibleByArgument {}
extension Share: ExpressibleByArgument {}
extension FNumber: ExpressibleByArgument {}
extension FocusWord: ExpressibleByArgument {}
extension PixelWord: ExpressibleByArgument {}
extension MapSize: ExpressibleByArgument {}
extension Grid: ExpressibleByArgument {}
extension Dilation: ExpressibleByArgument {}
extension Convergence: ExpressibleByArgument {}
extension PictureSpan: ExpressibleByArgument {}
extension FilmFormatWord: ExpressibleByArgument {}
extension RendererWord: ExpressibleByArgument {
  static var allValueStrings: [String] { names }
  static var defaultCompletionKind: CompletionKind { .list(names) }
}
extension EffectName: ExpressibleByArgument {}
extension LensRequest.Style: ExpressibleByArgument {}
extension ShapeRequest.FlyingPixels: ExpressibleByArgument {}
extension ExportRequest.Kind: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension Steadiness: ExpressibleByArgument {}
extension StereoOptions.HoleFilling: ExpressibleByArgument {}
extension StereoOptions.FrameEdges: ExpressibleByArgument {}
