import DepthBase
import DepthErrors
public import DepthImages

extension Image {
  /// The photo multiplied by a mask of one depth: pixels at that depth stay bright, and pixels with mask 0 are black.
  ///
  /// The sRGB-encoded values are multiplied, so the result looks like the photo over black with the mask as its alpha
  /// channel. Parameters and errors are the same as for `focusMask(depth:focus:shape:threads:)`.
  ///
  /// - Throws: `DepthError`.
  public func spotlight(
    depth: DepthMap, focus: DepthFocus, shape: FocusMask = FocusMask(), threads: Int? = nil
  ) throws -> Image {
    let threads = try ThreadCount.checked(threads)
    return spotlight(
      by: try focusMask(depth: depth, focus: focus, shape: shape, threads: threads),
      threads: threads)
  }

  /// The photo multiplied by a mask of its size.
  package func spotlight(by mask: DepthMask, threads: Int) -> Image {
    unsafe mapped(mask.values, threads: threads) {
      source, share, out in
      for channel in 0..<3 {
        unsafe out[channel] = unsafe UInt8(Float(source[channel]) * share + 0.5)
      }
    }
  }

  /// The photo in color at one depth and gray elsewhere.
  ///
  /// The gray of a pixel is its luminance by ITU-R BT.709. Color and gray are mixed in linear light, with the mask as
  /// the weight of the color. Parameters and errors are the same as for `focusMask(depth:focus:shape:threads:)`.
  ///
  /// - Throws: `DepthError`.
  public func colorHighlight(
    depth: DepthMap, focus: DepthFocus, shape: FocusMask = FocusMask(), threads: Int? = nil
  ) throws -> Image {
    let threads = try ThreadCount.checked(threads)
    return colorHighlight(
      by: try focusMask(depth: depth, focus: focus, shape: shape, threads: threads),
      threads: threads)
  }

  /// The photo in color where a mask of its size is 1, and gray where it is 0.
  package func colorHighlight(by mask: DepthMask, threads: Int) -> Image {
    unsafe SRGB.linear.withUnsafeBufferPointer { linear in
      unsafe SRGB.coded.withUnsafeBufferPointer { coded in
        nonisolated(unsafe) let (linear, coded) = (linear.baseAddress!, coded.baseAddress!)
        return unsafe mapped(mask.values, threads: threads) {
          source, share, out in
          let (red, green, blue) = unsafe (
            linear[Int(source[0])], linear[Int(source[1])], linear[Int(source[2])]
          )
          let gray = (0.2126 * red + 0.7152 * green + 0.0722 * blue) * (1 - share)
          let (scale, shift) = (share * SRGB.steps, gray * SRGB.steps + 0.5)
          unsafe out[0] = unsafe coded[Int(red * scale + shift)]
          unsafe out[1] = unsafe coded[Int(green * scale + shift)]
          unsafe out[2] = unsafe coded[Int(blue * scale + shift)]
        }
      }
    }
  }

  /// Calls `body` with each pixel and the pixel's element of `values`, and returns the resulting photo.
  ///
  /// - Parameter body: Receives a pixel's three bytes, the element of `values`, and the destination of the new bytes.
  func mapped(
    _ values: [Float], threads: Int,
    _ body: @Sendable (UnsafePointer<UInt8>, Float, UnsafeMutablePointer<UInt8>) -> Void
  ) -> Image {
    let result = unsafe filledThroughPointer(count: pixels.count) {
      (out: UnsafeMutablePointer<UInt8>) in
      unsafe pixels.withUnsafeBufferPointer { pixels in
        unsafe values.withUnsafeBufferPointer { values in
          // Each chunk writes its own pixels.
          nonisolated(unsafe) let (pixels, values, out) = unsafe (
            pixels.baseAddress!, values.baseAddress!, out
          )
          parallelForStrided(height * width, grain: 1 << 15, threads: threads) {
            for i in $0 { unsafe body(pixels + i * 3, values[i], out + i * 3) }
          }
        }
      }
    }
    return Image(height: height, width: width, pixels: result, metadata: metadata)
  }
}
