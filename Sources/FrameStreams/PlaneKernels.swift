import CDepthSIMD
import DepthBase

/// The kernels of one instruction set for conversions between RGB and planes.
///
/// Before each call, the functions check that the kernel accesses only memory within the spans.
@safe
struct PlaneKernels: Sendable {
  private let table: ck_planes_kernels

  init(_ isa: InstructionSet) { unsafe table = isa.kernels.pointee.planes }

  /// The bytes of `count` samples.
  private static func bytes(_ count: Int, isWide: Bool) -> Int { isWide ? 2 * count : count }

  /// Interpolates chroma between two rows of samples, in quarters of a sample relative to neutral.
  ///
  /// - Parameter line: One element per sample, and at each end one additional element that repeats the end
  ///   sample.
  func chromaBetween(
    _ conversion: ck_planes_to_rgb, share: Int32, _ upper: Span<UInt8>, _ lower: Span<UInt8>,
    into line: inout [Int32]
  ) {
    let count = line.count - 2
    let bytes = Self.bytes(count, isWide: conversion.wide)
    precondition(
      count > 0 && upper.count == bytes && lower.count == bytes,
      "rows of \(upper.count) and \(lower.count) bytes, expected \(bytes)")
    var between = line.mutableSpan
    unsafe withUnsafePointer(to: conversion) { conversion in
      unsafe upper.withPointer { upper in
        unsafe lower.withPointer { lower in
          unsafe between.withPointer {
            unsafe table.chroma_between(count, conversion, share, upper, lower, $0 + 1)
          }
        }
      }
    }
    line[0] = line[1]
    line[count + 1] = line[count]
  }

  /// Interpolates chroma of pixels along a row, in sixteenths of a sample.
  ///
  /// - Parameters:
  ///   - weights: The weights of the previous sample, a pixel's own sample and the next sample, for each pixel.
  ///   - line: A line of ``chromaBetween(_:share:_:_:into:)``.
  ///   - pixels: The pixels of whole samples.
  func chromaAcross(_ weights: [Int32], _ line: [Int32], into pixels: inout [Int32]) {
    let (count, step) = (line.count - 2, weights.count / 3)
    precondition(
      [1, 2, 4].contains(step) && weights.count == 3 * step && pixels.count == count * step,
      "\(pixels.count) pixels of \(count) samples, \(weights.count) weights")
    var pixels = pixels.mutableSpan
    unsafe weights.span.withPointer { weights in
      unsafe line.span.withPointer { line in
        unsafe pixels.withPointer {
          unsafe table.chroma_across(count, step, weights, line + 1, $0)
        }
      }
    }
  }

  /// Converts a row to RGB.
  ///
  /// - Parameter blue, red: Sixteenths of samples, at least one for each pixel.
  func rgbRow(
    _ conversion: ck_planes_to_rgb, luma: Span<UInt8>, blue: [Int32], red: [Int32],
    into rgb: inout MutableSpan<UInt8>
  ) {
    let count = rgb.count / 3
    precondition(
      rgb.count == 3 * count && luma.count == Self.bytes(count, isWide: conversion.wide)
        && blue.count >= count && red.count >= count,
      "\(luma.count) bytes of luma, \(blue.count) and \(red.count) samples of chroma for \(count) pixels"
    )
    unsafe withUnsafePointer(to: conversion) { conversion in
      unsafe luma.withPointer { luma in
        unsafe blue.span.withPointer { blue in
          unsafe red.span.withPointer { red in
            unsafe rgb.withPointer {
              unsafe table.rgb_row(count, conversion, luma, blue, red, $0)
            }
          }
        }
      }
    }
  }

  /// Computes luma of RGB pixels.
  func lumaRow(
    _ conversion: ck_rgb_to_planes, _ rgb: Span<UInt8>, into luma: inout MutableSpan<UInt8>
  ) {
    let count = rgb.count / 3
    precondition(
      rgb.count == 3 * count && luma.count == Self.bytes(count, isWide: conversion.wide),
      "\(luma.count) bytes of luma for \(rgb.count) bytes of RGB")
    unsafe withUnsafePointer(to: conversion) { conversion in
      unsafe rgb.withPointer { rgb in
        unsafe luma.withPointer { unsafe table.luma_row(count, conversion, rgb, $0) }
      }
    }
  }

  /// Computes weighted sums of RGB rows, separately for each color.
  ///
  /// - Parameters:
  ///   - rows: The offset and weight of each of one to four rows.
  ///   - pixels: A whole picture.
  ///   - width: Pixels per row.
  func colorSums(
    _ rows: [(first: Int, weight: Int32)], of pixels: Span<UInt8>, width: Int,
    into sums: inout ColorSums
  ) {
    precondition((1...4).contains(rows.count) && sums.width == width)
    for row in rows {
      precondition(
        row.first >= 0 && row.first + 3 * width <= pixels.count,
        "a row at \(row.first) of \(pixels.count) bytes")
    }
    // The array has a name because unoptimized code for the span of a temporary is miscompiled.
    let weights = rows.map(\.weight)
    unsafe pixels.withPointer { pixels in
      let starts = unsafe rows.map { unsafe pixels + $0.first }
      unsafe starts.withUnsafeBufferPointer { starts in
        unsafe weights.span.withPointer { weights in
          unsafe sums.withPointers {
            unsafe table.color_sums(
              width, starts.count, starts.baseAddress!, weights, $0, $1, $2)
          }
        }
      }
    }
    sums.repeatEnds()
  }

  /// Computes a row of both chroma planes.
  ///
  /// - Parameters:
  ///   - window: The columns that contribute to a sample.
  ///   - blue, red: Complete rows.
  func chromaRow(
    _ conversion: ck_rgb_to_planes, _ window: ChromaWindow, _ sums: borrowing ColorSums,
    blue: inout MutableSpan<UInt8>, red: inout MutableSpan<UInt8>
  ) {
    let count = (sums.width + window.step - 1) / window.step
    let bytes = Self.bytes(count, isWide: conversion.wide)
    precondition(
      blue.count == bytes && red.count == bytes,
      "rows of \(blue.count) and \(red.count) bytes, expected \(bytes)")
    unsafe withUnsafePointer(to: conversion) { conversion in
      unsafe window.weights.span.withPointer { weights in
        unsafe sums.withPointers(from: window.first) { r, g, b in
          unsafe blue.withPointer { blue in
            unsafe red.withPointer {
              unsafe table.chroma_row(count, conversion, window.step, weights, r, g, b, blue, $0)
            }
          }
        }
      }
    }
  }
}
