import ArgumentParser
import DepthPhotos
import MonocularDepth

extension EffectOptions {
  /// Makes a file for each photo. A failed photo does not stop the run.
  func run(_ request: EffectRequest) throws {
    if stream.stream {
      try stream.refusePhotos(
        of: self, named: "effect \(request.effect?.rawValue ?? "")", output: output.givenOptions,
        own: optionNames(["--16-bit": request.is16Bit]))
      return try stream.run(
        FilmRequest(effect: request), of: self, quality: request.picture.jpegQuality)
    }
    let files = try output.value(request)
    let selection = try selection(outputFolder: output.outputDir)
    try files.place.check(selection, json: common.json, content: "picture")
    if DepthChoice(depth).isGiven, request.effect != .blur, common.weights.metres == nil,
      let field = camera.request.givenFields.first
    {
      throw WrongUsage("--\(dashed(field)) requires estimated depth, found --depth")
    }
    // A pixel position belongs to one photo.
    if request.focusAt != nil, selection.isMany {
      throw WrongUsage("--focus-at requires a single photo, found \(selection.phrase)")
    }
    try perform(
      selection,
      // The network's map is not refined, since effects themselves align the map with the photo's
      // edges.
      options(.none), calibrated: DepthOptions().refinement, metresFor: request.purposeOfMetres,
      usesMetres: request.purposeOfMetres != nil && !request.needsFocalLength, writing: files,
      overwrite: output.overwrite
    ) { .effect(request, of: $0, as: files) }
  }
}
