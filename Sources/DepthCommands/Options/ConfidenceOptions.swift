import ArgumentParser

/// The minimum confidence of an estimate's pixels.
struct ConfidenceOptions: ParsableArguments {
  @Option(
    name: .customLong("min-confidence"),
    help: ArgumentHelp(
      """
      Remove the depth of pixels whose confidence is below this, such as 0.8 or 80%. By default no depth is removed.
      """,
      discussion: """
        Needs weights that predict the error of each pixel, such as 'default'. Confidence is 1 minus the expected \
        relative error: 0.8 keeps pixels with an expected error of 20 % or less. On the test photos of NYU Depth v2, \
        'default' keeps 91 % of the pixels at 0.8, 64 % at 0.85 and 32 % at 0.87, on average. --fill does not fill removed \
        pixels, except in meshes and point clouds of 'depth export'.
        """,
      valueName: "share"), transform: Share.argument)
  var leastConfidence: Share?

  var minConfidence: Float? { leastConfidence.map { Float($0.value) } }
}

/// The files of the confidence and of the confidence mask.
struct ConfidenceOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Also write the confidence of each pixel: for one photo to this .png or .pfm, for several photos to this \
      folder, as PHOTO_confidence.png. End the name of a new folder with '/'.
      """,
      discussion: """
        Needs weights that predict the error of each pixel, such as 'default'. Confidence is 1 minus the expected \
        relative error: 1 (white) for an error of 0 %, 0 (black) for an error of 100 % or more.
        """,
      valueName: "file"),
    completion: .file())
  var confidence: String?
  @Option(
    help: ArgumentHelp(
      """
      Also write what has a distance (white) and what has none, such as the sky (black): for one photo to this .png, for several \
      photos to this folder, as PHOTO_mask.png.
      """,
      discussion: "Needs weights of MoGe-2.", valueName: "file"),
    completion: .file())
  var maskOutput: String?

  var outputs: [any MapOutput] {
    let confidence = confidence.map { ConfidenceOutput(place: OutputPlace(fileOrFolder: $0)) }
    let mask = maskOutput.map { MaskOutput(place: OutputPlace(fileOrFolder: $0)) }
    return [confidence as (any MapOutput)?, mask].compactMap(\.self)
  }
}
