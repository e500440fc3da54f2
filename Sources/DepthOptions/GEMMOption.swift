import ArgumentParser
package import NeuralEngine
import SIMDKernels

/// The command line's names of the matrix-multiplication back ends.
package enum GEMMOption: String, ExpressibleByArgument, CaseIterable {
  case auto, packed, openblas

  package var backend: GEMMBackend {
    switch self {
    case .auto: .best
    case .packed: .packed(.current)
    case .openblas: .openBLAS(.current)
    }
  }
}
