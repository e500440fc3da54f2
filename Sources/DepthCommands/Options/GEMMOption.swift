import ArgumentParser
import DepthBase
import NeuralEngine

/// The command line's names of the matrix-multiplication back ends.
enum GEMMOption: String, ExpressibleByArgument, CaseIterable {
  case auto, packed, openblas

  var backend: GEMMBackend {
    switch self {
    case .auto: .best
    case .packed: .packed(.current)
    case .openblas: .openBLAS(.current)
    }
  }
}
