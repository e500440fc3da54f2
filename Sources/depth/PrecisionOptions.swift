import ArgumentParser
import MonocularDepth

/// The arithmetic of the network.
struct PrecisionOptions: ParsableArguments {
  /// The command line's names; one is known in order to be refused with its reason.
  enum Name: String, ExpressibleByArgument, CaseIterable {
    case float32, bfloat16, int8, auto

    var precision: Precision {
      switch self {
      case .float32, .bfloat16: .float32
      case .int8: .int8
      case .auto: .auto
      }
    }

    static var allValueStrings: [String] { ["float32", "int8", "auto"] }
  }

  @Option(
    help: ArgumentHelp(
      "Arithmetic of the network: float32, int8 or auto.",
      discussion: """
        auto takes int8 where the processor multiplies bytes (VNNI, AMX) and the weights state that they lose at most \
        .002 of δ1, and float32 elsewhere; --json and the summary of frames name what it took.
        """,
      valueName: "name"))
  var precision: Name = .float32

  func validate() throws {
    guard precision != .bfloat16 else {
      throw ValidationError(
        "--precision bfloat16 is not offered: with VDPBF16PS only 1×1 layers gain, and int8 is faster for all; "
          + "expected float32, int8 or auto")
    }
  }
}
