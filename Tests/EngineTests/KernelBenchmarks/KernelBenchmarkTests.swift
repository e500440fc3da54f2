import NeuralEngine
import SIMDKernels
import Testing
import _TestSupport

@testable import KernelBenchmarks

/// The benchmark reads the networks' layers, times what applies to them, and writes the table of
/// tiles.
@Suite(.offPool) struct KernelBenchmarkTests {
  static let small = """
    layer     kernel    reads   from  writes   parameters  adds
    conv1     3×3/2     9×8×3   data  5×4×16   448
    pool1     max3×3/2  5×4×16  a     3×2×16   0
    conv2     3×3       3×2×16  b     3×2×32   4640
    conv2b    3×3       3×2×16  b     3×2×32   4640
    conv3     3×3       3×2×16  b     3×2×32   4640        c
    up        up-conv   3×2×32  d     6×4×8    6432
    conv4     1×1       6×4×8   up    6×4×8    72
    pred      3×3       6×4×8   e     6×4×1    73
    20945 parameters

    """

  @Test func printIsReadBack() throws {
    let small = try NetworkStructure(text: Self.small)
    #expect(small.parameters == 20945)
    #expect(try NetworkStructure(text: small.description) == small)
    for name in ["fcrn50", "fcrn18", "lite2"] {
      let text = try PackageFile.text("Benchmarks/Shapes/\(name).txt")
      #expect(try NetworkStructure(text: text).description == text)
    }
  }

  @Test(arguments: [
    ("conv1 3×3/2 9×8×3 data 5×4×16", "too few words"),
    ("conv1 3×3×3 9×8×3 data 5×4×16 448", "kernel"),
    ("conv1 3×3/0 9×8×3 data 5×4×16 448", "stride"),
    ("conv1 octet 9×8×3 data 5×4×16 448", "operation"),
    ("conv1 3×3 9×8 data 5×4×16 448", "shape"),
    ("conv1 3×3 9×8×3 data 5×-4×16 448", "negative"),
    ("conv1 3×3 9×8×3 data 5×4×16 many", "parameters"),
  ])
  func malformedLineIsNamed(line: String, fault: String) {
    let error = #expect(throws: StructureError.self, "\(fault)") {
      try NetworkStructure(text: "layer\n" + line + "\n")
    }
    #expect(
      error
        == .malformedLine(
          line: 2, expected: "layer, kernel, reads, from, writes, parameters and adds", found: line)
    )
  }

  @Test func emptyFileIsRefused() {
    #expect(throws: StructureError.noLayers) { try NetworkStructure(text: "") }
  }

  @Test func layersOfOneGeometryAreOneGroup() throws {
    let groups = KernelBenchmark.groups(of: try NetworkStructure(text: Self.small))
    #expect(groups.map(\.layer.name) == ["conv1", "conv2", "conv3", "up", "conv4", "pred"])
    #expect(groups.map(\.count) == [1, 2, 1, 1, 1, 1])
  }

  @Test func everyApplicableAlgorithmIsTimed() throws {
    let benchmark = try KernelBenchmark(structures: [("small", Self.small)])
    var text = ""
    benchmark.printTable(threads: 2, runs: 1) { text += $0 }
    let rows = text.split(separator: "\n").filter { $0.contains("× ") }
    #expect(rows.filter { $0.hasPrefix("conv2 ") }.count == 3)
    #expect(rows.filter { $0.hasPrefix("up ") }.count == 2)
    #expect(rows.filter { $0.hasPrefix("pred ") }.count == 2)
    // One algorithm of every layer is the network's.
    #expect(rows.filter { $0.contains(" * ") }.count == 6)

    text = ""
    benchmark.printTable(threads: 1, runs: 1, filter: "winograd 4") { text += $0 }
    #expect(text.split(separator: "\n").filter { $0.contains("winograd 4") }.count == 3)
    #expect(!text.contains("im2col"))
  }

  @Test func numbersAreRounded() {
    #expect(fixed(1.005, 1) == "1.0")
    #expect(fixed(0.0449, 2) == "0.04")
    #expect(fixed(12.96, 1) == "13.0")
    #expect(fixed(-0.25, 1) == "-0.3")
    #expect(fixed(7.5, 0) == "8")
  }
}
