public import DepthImages
import ProcessLimits
import ThreadTeams

/// Both views in one picture.
extension StereoPair {
  /// Left and right view beside each other, `height × 2·width`: for parallel viewing, headsets and
  /// 3D screens.
  public var sideBySide: Image {
    assembled(height: height, width: width, across: 2) { y, part in (part, y) }
  }

  /// Side by side in the size of one view, each view squeezed to half its width.
  public var sideBySideHalf: Image {
    squeezed(height: height, width: max(1, width / 2)).sideBySide
  }

  /// The right view on the left: for viewing with crossed eyes.
  public var crossEyed: Image { swapped.sideBySide }

  /// Left view above the right one, `2·height × width`.
  public var overUnder: Image {
    assembled(height: 2 * height, width: width, across: 1) { [height] y, _ in
      y < height ? (0, y) : (1, y - height)
    }
  }

  /// Over–under in the size of one view, each view squeezed to half its height.
  public var overUnderHalf: Image {
    squeezed(height: max(1, height / 2), width: width).overUnder
  }

  /// Even rows from the left view, odd rows from the right one: for line-polarised screens.
  public var rowInterleaved: Image {
    assembled(height: height, width: width, across: 1) { y, _ in (y % 2, y) }
  }

  /// Even columns from the left view, odd columns from the right one: for barrier screens.
  public var columnInterleaved: Image {
    Image(
      height: height, width: width,
      pixels: interleavedColumns(
        left.pixels, right.pixels, height: height, width: width, threads: availableProcessors),
      metadata: left.metadata)
  }

  /// Where the views' colours are invented, side by side: holes white.
  public var holeMask: Image {
    StereoPair(
      left: leftHoles.image, right: rightHoles.image, leftHoles: leftHoles, rightHoles: rightHoles
    ).sideBySide
  }

  private func assembled(
    height: Int, width: Int, across: Int,
    _ parts: @Sendable (_ y: Int, _ part: Int) -> (source: Int, row: Int)
  ) -> Image {
    Image(
      height: height, width: width * across,
      pixels: assembledRows(
        [left.pixels, right.pixels], width: width, height: height, across: across,
        threads: availableProcessors, parts: parts),
      metadata: left.metadata)
  }

  /// The views averaged down to another size; what covers any of a hole counts as one.
  private func squeezed(height: Int, width: Int) -> StereoPair {
    let empty = HoleMask(
      height: height, width: width, values: [UInt8](repeating: 0, count: height * width))
    return StereoPair(
      left: left.resizedByArea(height: height, width: width),
      right: right.resizedByArea(height: height, width: width), leftHoles: empty,
      rightHoles: empty)
  }

  /// The pair without `columns` columns at each side, at least one column remaining.
  func croppingSides(by columns: Int) -> StereoPair {
    let first = min(columns, (width - 1) / 2)
    guard first > 0 else { return self }
    let count = width - 2 * first
    func cropped(_ view: Image) -> Image {
      Image(
        height: height, width: count,
        pixels: croppedColumns(
          view.pixels, height: height, width: width, first: first, count: count,
          threads: availableProcessors),
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
  /// The picture reduced to a width, sides in proportion.
  package func fitted(width newWidth: Int) -> Image {
    resizedByArea(height: max(1, (height * newWidth + width / 2) / width), width: newWidth)
  }

  /// The picture in another size, every pixel the mean of the area it covers.
  func resizedByArea(height newHeight: Int, width newWidth: Int) -> Image {
    Image(
      height: newHeight, width: newWidth,
      pixels: DepthImages.resizedByArea(
        pixels, height: height, width: width, toHeight: newHeight, toWidth: newWidth,
        threads: availableProcessors),
      metadata: metadata)
  }
}
