import DepthBase
public import DepthImages

/// Both views in one picture, computed by one thread per processor.
extension StereoPair {
  /// The left view to the left of the right view, `height × 2·width`, for parallel viewing, headsets and 3D
  /// screens.
  public func sideBySide() -> Image { picture(.sideBySide, threads: availableProcessors) }

  /// Both views side by side at the size of one view, each squeezed to half its width.
  public func sideBySideHalf() -> Image { picture(.sideBySideHalf, threads: availableProcessors) }

  /// Right view to the left of the left view, for viewing with crossed eyes.
  public func crossEyed() -> Image { picture(.crossEyed, threads: availableProcessors) }

  /// Left view above the right view, `2·height × width`.
  public func overUnder() -> Image { picture(.overUnder, threads: availableProcessors) }

  /// Over–under at the size of one view, each view squeezed to half its height.
  public func overUnderHalf() -> Image { picture(.overUnderHalf, threads: availableProcessors) }

  /// Even rows from the left view, odd rows from the right view, for line-polarized screens.
  public func rowInterleaved() -> Image { picture(.rowInterleaved, threads: availableProcessors) }

  /// Even columns from the left view, odd columns from the right view, for barrier screens.
  public func columnInterleaved() -> Image {
    picture(.columnInterleaved, threads: availableProcessors)
  }

  /// The hole masks of both views side by side. Pixels that the photo does not show are white.
  public func holeMask() -> Image { picture(.holeMask, threads: availableProcessors) }
}

extension StereoPair {
  /// An arrangement of both views in one picture; see the methods of the same names.
  package enum Layout: Sendable, Hashable {
    case sideBySide, sideBySideHalf, crossEyed, overUnder, overUnderHalf
    case rowInterleaved, columnInterleaved, holeMask
    case anaglyph(Anaglyph)
  }

  /// Both views in one picture.
  ///
  /// - Parameters:
  ///   - layout: The arrangement of the views.
  ///   - threads: Number of threads, at least 1. The number does not change the pixels.
  package func picture(_ layout: Layout, threads: Int) -> Image {
    switch layout {
    case .sideBySide:
      return assembled(height: height, width: width, across: 2, threads) { y, part in (part, y) }
    case .sideBySideHalf:
      return squeezed(height: height, width: max(1, width / 2), threads)
        .picture(.sideBySide, threads: threads)
    case .crossEyed: return swapped.picture(.sideBySide, threads: threads)
    case .overUnder:
      return assembled(height: 2 * height, width: width, across: 1, threads) { [height] y, _ in
        y < height ? (0, y) : (1, y - height)
      }
    case .overUnderHalf:
      return squeezed(height: max(1, height / 2), width: width, threads)
        .picture(.overUnder, threads: threads)
    case .rowInterleaved:
      return assembled(height: height, width: width, across: 1, threads) { y, _ in (y % 2, y) }
    case .columnInterleaved:
      return left.replacing(
        pixels: interleavedColumns(
          left.pixels, right.pixels, height: height, width: width, threads: threads))
    case .holeMask:
      return StereoPair(
        left: leftHoles.image(threads: threads), right: rightHoles.image(threads: threads),
        leftHoles: leftHoles, rightHoles: rightHoles
      ).picture(.sideBySide, threads: threads)
    case .anaglyph(let glasses):
      let matrices = glasses.matrices
      return left.replacing(
        pixels: mixedInLinearLight(
          left.pixels, right.pixels, height: height, width: width, leftMatrix: matrices.left,
          rightMatrix: matrices.right, threads: threads))
    }
  }

  private func assembled(
    height: Int, width: Int, across: Int, _ threads: Int,
    _ parts: @Sendable (_ y: Int, _ part: Int) -> (source: Int, row: Int)
  ) -> Image {
    Image(
      height: height, width: width * across,
      pixels: assembledRows(
        [left.pixels, right.pixels], width: width, height: height, across: across,
        threads: threads, parts: parts),
      metadata: left.metadata)
  }

  /// The views reduced to another size by averaging, without holes.
  private func squeezed(height: Int, width: Int, _ threads: Int) -> StereoPair {
    StereoPair(
      left: left.resizedByArea(height: height, width: width, threads: threads),
      right: right.resizedByArea(height: height, width: width, threads: threads))
  }

  /// The pair cropped by `columns` columns at each side, with at least one column left.
  func croppingSides(by columns: Int, threads: Int) -> StereoPair {
    let first = min(columns, (width - 1) / 2)
    guard first > 0 else { return self }
    let count = width - 2 * first
    func cropped(_ view: Image) -> Image {
      Image(
        height: height, width: count,
        pixels: croppedColumns(
          view.pixels, height: height, width: width, first: first, count: count,
          threads: threads),
        metadata: view.metadata)
    }
    func cropped(_ mask: HoleMask) -> HoleMask {
      var values: [UInt8] = []
      values.reserveCapacity(height * count)
      for y in 0..<height { values += mask.values[y * width + first..<y * width + first + count] }
      return HoleMask(height: height, width: count, values: values)
    }
    return StereoPair(
      left: cropped(left), right: cropped(right), leftHoles: cropped(leftHoles),
      rightHoles: cropped(rightHoles))
  }
}

extension Image {
  /// The picture reduced to a width, with its proportions.
  package func fitted(width newWidth: Int, threads: Int) -> Image {
    resizedByArea(
      height: max(1, (height * newWidth + width / 2) / width), width: newWidth, threads: threads)
  }

  /// The picture at another size, with every pixel the mean of its area.
  func resizedByArea(height newHeight: Int, width newWidth: Int, threads: Int) -> Image {
    Image(
      height: newHeight, width: newWidth,
      pixels: DepthImages.resizedByArea(
        pixels, height: height, width: width, toHeight: newHeight, toWidth: newWidth,
        threads: threads),
      metadata: metadata)
  }
}
