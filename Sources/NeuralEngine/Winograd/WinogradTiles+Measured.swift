import SIMDKernels

/// Written by `Benchmarks`: `swift run -c release benchmark-kernels --write-tiles`; do not edit.
///
/// Tile 2 where it takes at most 1.10 of the time of tile 4, with weights that are not in any
/// cache. Comments: that ratio, the geometric mean over 1 thread and all. Measured on AMD EPYC,
/// family 26, model 2, 2 processors.
extension WinogradTiles {
  // swift-format-ignore
  package static let measured: [Entry] = [
    //                     kernels          in    out           height·width
    .init(.avx512,   .init(.convolution,      64,   64, pixels:  4332), tile: 4),  // 1.20
    .init(.avx512,   .init(.convolution,     128,  128, pixels:  1102), tile: 4),  // 1.26
    .init(.avx512,   .init(.convolution,     256,  256, pixels:   285), tile: 4),  // 1.40
    .init(.avx512,   .init(.convolution,     512,  512, pixels:    80), tile: 2),  // 0.88
    .init(.avx512,   .init(.upConvolution,   256,  256, pixels:    80), tile: 2),  // 0.72
    .init(.avx512,   .init(.convolution,     128,  128, pixels:   320), tile: 2),  // 0.87
    .init(.avx512,   .init(.upConvolution,   128,  128, pixels:   320), tile: 4),  // 1.29
    .init(.avx512,   .init(.convolution,      64,   64, pixels:  1280), tile: 2),  // 1.06
    .init(.avx512,   .init(.upConvolution,    64,   64, pixels:  1280), tile: 4),  // 1.26
    .init(.avx512,   .init(.convolution,      32,   32, pixels:  5120), tile: 2),  // 1.04
    .init(.avx512,   .init(.upConvolution,    32,   32, pixels:  5120), tile: 4),  // 1.11
    .init(.avx512,   .init(.convolution,      16,   16, pixels: 20480), tile: 4),  // 1.35
    .init(.avx512,   .init(.upConvolution,  1024, 1024, pixels:    80), tile: 2),  // 0.61
    .init(.avx512,   .init(.convolution,     512,  512, pixels:   320), tile: 4),  // 1.68
    .init(.avx512,   .init(.upConvolution,   512,  512, pixels:   320), tile: 4),  // 1.42
    .init(.avx512,   .init(.convolution,     256,  256, pixels:  1280), tile: 4),  // 1.32
    .init(.avx512,   .init(.upConvolution,   256,  256, pixels:  1280), tile: 4),  // 1.40
    .init(.avx512,   .init(.convolution,     128,  128, pixels:  5120), tile: 4),  // 1.40
    .init(.avx512,   .init(.upConvolution,   128,  128, pixels:  5120), tile: 4),  // 1.39
    .init(.avx512,   .init(.convolution,      64,   64, pixels: 20480), tile: 4),  // 1.37
    .init(.avx2,     .init(.convolution,      64,   64, pixels:  4332), tile: 4),  // 1.39
    .init(.avx2,     .init(.convolution,     128,  128, pixels:  1102), tile: 4),  // 1.41
    .init(.avx2,     .init(.convolution,     256,  256, pixels:   285), tile: 4),  // 1.81
    .init(.avx2,     .init(.convolution,     512,  512, pixels:    80), tile: 2),  // 1.07
    .init(.avx2,     .init(.upConvolution,   256,  256, pixels:    80), tile: 2),  // 0.94
    .init(.avx2,     .init(.convolution,     128,  128, pixels:   320), tile: 2),  // 1.02
    .init(.avx2,     .init(.upConvolution,   128,  128, pixels:   320), tile: 4),  // 1.53
    .init(.avx2,     .init(.convolution,      64,   64, pixels:  1280), tile: 4),  // 1.62
    .init(.avx2,     .init(.upConvolution,    64,   64, pixels:  1280), tile: 4),  // 1.25
    .init(.avx2,     .init(.convolution,      32,   32, pixels:  5120), tile: 4),  // 1.47
    .init(.avx2,     .init(.upConvolution,    32,   32, pixels:  5120), tile: 4),  // 1.32
    .init(.avx2,     .init(.convolution,      16,   16, pixels: 20480), tile: 4),  // 1.34
    .init(.avx2,     .init(.upConvolution,  1024, 1024, pixels:    80), tile: 2),  // 1.06
    .init(.avx2,     .init(.convolution,     512,  512, pixels:   320), tile: 4),  // 1.64
    .init(.avx2,     .init(.upConvolution,   512,  512, pixels:   320), tile: 4),  // 1.48
    .init(.avx2,     .init(.convolution,     256,  256, pixels:  1280), tile: 4),  // 1.61
    .init(.avx2,     .init(.upConvolution,   256,  256, pixels:  1280), tile: 4),  // 1.54
    .init(.avx2,     .init(.convolution,     128,  128, pixels:  5120), tile: 4),  // 1.63
    .init(.avx2,     .init(.upConvolution,   128,  128, pixels:  5120), tile: 4),  // 1.50
    .init(.avx2,     .init(.convolution,      64,   64, pixels: 20480), tile: 4),  // 1.61
    .init(.baseline, .init(.convolution,      64,   64, pixels:  4332), tile: 4),  // 1.33
    .init(.baseline, .init(.convolution,     128,  128, pixels:  1102), tile: 4),  // 1.13
    .init(.baseline, .init(.convolution,     256,  256, pixels:   285), tile: 4),  // 1.19
    .init(.baseline, .init(.convolution,     512,  512, pixels:    80), tile: 2),  // 0.65
    .init(.baseline, .init(.upConvolution,   256,  256, pixels:    80), tile: 2),  // 0.71
    .init(.baseline, .init(.convolution,     128,  128, pixels:   320), tile: 4),  // 1.26
    .init(.baseline, .init(.upConvolution,   128,  128, pixels:   320), tile: 2),  // 1.03
    .init(.baseline, .init(.convolution,      64,   64, pixels:  1280), tile: 2),  // 0.95
    .init(.baseline, .init(.upConvolution,    64,   64, pixels:  1280), tile: 4),  // 1.47
    .init(.baseline, .init(.convolution,      32,   32, pixels:  5120), tile: 2),  // 1.07
    .init(.baseline, .init(.upConvolution,    32,   32, pixels:  5120), tile: 2),  // 1.03
    .init(.baseline, .init(.convolution,      16,   16, pixels: 20480), tile: 4),  // 1.16
    .init(.baseline, .init(.upConvolution,  1024, 1024, pixels:    80), tile: 2),  // 0.93
    .init(.baseline, .init(.convolution,     512,  512, pixels:   320), tile: 2),  // 0.99
    .init(.baseline, .init(.upConvolution,   512,  512, pixels:   320), tile: 4),  // 1.26
    .init(.baseline, .init(.convolution,     256,  256, pixels:  1280), tile: 4),  // 1.50
    .init(.baseline, .init(.upConvolution,   256,  256, pixels:  1280), tile: 4),  // 1.40
    .init(.baseline, .init(.convolution,     128,  128, pixels:  5120), tile: 4),  // 1.14
    .init(.baseline, .init(.upConvolution,   128,  128, pixels:  5120), tile: 4),  // 1.34
    .init(.baseline, .init(.convolution,      64,   64, pixels: 20480), tile: 4),  // 1.15
  ]
}
