package import DepthImages

/// How a picture is stored as planes of luma and chroma.
package struct PlanarLayout: Sendable, Hashable {
  package var chroma: Y4MHeader.Chroma
  package var siting: Y4MHeader.Siting
  /// Bits of a sample; above 8, samples have two bytes, low byte first.
  package var bits: Int
  package var matrix: ColorMatrix
  package var range: ColorRange

  package init(
    chroma: Y4MHeader.Chroma, siting: Y4MHeader.Siting = .left, bits: Int = 8,
    matrix: ColorMatrix, range: ColorRange = .limited
  ) {
    (self.chroma, self.siting, self.bits) = (chroma, siting, bits)
    (self.matrix, self.range) = (matrix, range)
  }

  init(_ header: Y4MHeader, matrix: ColorMatrix, range: ColorRange) {
    self.init(
      chroma: header.chroma, siting: header.siting, bits: header.bits, matrix: matrix,
      range: range)
  }

  /// The same without alpha, which no picture of this package has.
  package var opaque: PlanarLayout {
    var layout = self
    if chroma == .fullWithAlpha { layout.chroma = .full }
    return layout
  }

  /// The same with a color for every pixel: what is of two views pixel by pixel must not share one.
  package var unshared: PlanarLayout {
    var layout = self
    layout.chroma = .full
    return layout
  }

  /// Columns and rows of luma for one sample of chroma; `nil` without chroma.
  package var steps: (across: Int, down: Int)? { chroma.steps }

  /// Bytes of a picture.
  package func bytes(of size: PixelSize) -> Int { chroma.bytes(of: size, bits: bits) }

  /// The tag of YUV4MPEG2, and those of programs for range and matrix.
  package var tags: String {
    let sampling =
      switch chroma {
      case .quarter:
        bits > 8
          ? "420p\(bits)"
          : siting == .center ? "420jpeg" : siting == .left ? "420mpeg2" : "420paldv"
      case .half: bits > 8 ? "422p\(bits)" : "422"
      case .full, .fullWithAlpha: bits > 8 ? "444p\(bits)" : "444"
      case .strip: "411"
      case .none: "mono"
      }
    let matrix = chroma == .none ? "" : " XCOLORMATRIX=\(matrix.rawValue)"
    return "C\(sampling) XCOLORRANGE=\(range.rawValue.uppercased())\(matrix)"
  }
}

/// What a stream of pictures is stored as.
package enum FrameStorage: Sendable, Hashable {
  case y4m(PlanarLayout)
  case rgb24, bgra, ppm, mjpeg
}
