public import ArgumentParser
public import MonocularDepth

extension Precision: ExpressibleByArgument {}

/// The arithmetic of the network.
struct PrecisionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Arithmetic of the network: float32, int8 or auto.",
      discussion: """
        int8 needs FCRN weights with scales of \
        activations, which 'depth weights calibrate' adds, or weights of Depth Anything V2. auto is int8 if the \
        weights file records that int8 lowers δ1 (the share of pixels within a factor of 1.25 of the truth) by at \
        most 0.002, and otherwise float32; the weights of this package record that. For Depth Anything V2, auto is \
        int8 only on processors with instructions for 8-bit products. In int8, FCRN gives a photo the same depth on \
        every processor.
        """,
      valueName: "name"))
  var precision: Precision = .auto
}
