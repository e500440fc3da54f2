import ArgumentParser
import PictureFiles
import SystemEssentials

/// The output files of an evaluation.
struct EvaluationOutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the errors of each frame to this CSV file, or '-' for standard output.",
      valueName: "file"),
    completion: .file())
  var csv: String?

  @Option(
    help: ArgumentHelp(
      """
      List this many frames (1 to 100) with the largest relative error in the table's first row, on standard error.
      """,
      valueName: "n"))
  var worst: Int?

  @Option(
    help: ArgumentHelp(
      """
      Write a picture (.png or .jpg) of the worst frames, as many as --worst, else 10: photo, ground truth, \
      prediction, error.
      """,
      valueName: "file"),
    completion: .file())
  var contactSheet: String?

  @Flag(help: .overwrite) var overwrite = false

  var givenOptions: [String] {
    optionNames([
      "--csv": csv != nil, "--worst": worst != nil, "--contact-sheet": contactSheet != nil,
    ])
  }

  func validate() throws {
    try check("--worst", worst, in: 1...100)
    do {
      if let contactSheet { _ = try ImageFileFormat(extensionOf: URL(filePath: contactSheet)) }
    } catch { throw ValidationError("\(error)") }
    if let csv, csv == contactSheet {
      throw ValidationError("--csv and --contact-sheet would both be written to \(csv)")
    }
  }

  var value: EvaluationOutput {
    EvaluationOutput(csv: csv, worst: worst, contactSheet: contactSheet, overwrite: overwrite)
  }
}
