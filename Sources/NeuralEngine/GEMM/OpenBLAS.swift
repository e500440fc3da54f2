import SystemEssentials

/// OpenBLAS, loaded dynamically by the first product that requires it.
///
/// A linked OpenBLAS would start threads before `main`, and crash if the system cannot start a second thread. Processors
/// with GEMM kernels of this package never load OpenBLAS. If OpenBLAS is not installed, a plain loop multiplies.
enum OpenBLAS {
  private typealias SGEMM =
    @convention(c) (
      _ order: UInt32, _ transposeA: UInt32, _ transposeB: UInt32, _ m: Int32, _ n: Int32,
      _ k: Int32, _ alpha: Float, _ a: UnsafePointer<Float>, _ lda: Int32,
      _ b: UnsafePointer<Float>, _ ldb: Int32, _ beta: Float, _ c: UnsafeMutablePointer<Float>,
      _ ldc: Int32
    ) -> Void

  @unsafe private struct Functions: Sendable {
    let sgemm: SGEMM
    let threads: @convention(c) () -> Int32
    let setThreads: @convention(c) (Int32) -> Void
  }

  private static let functions: Functions? = unsafe load()

  /// Number of threads that OpenBLAS uses for one product.
  static var threads: Int32 { unsafe functions?.threads() ?? 1 }

  static func setThreads(_ threads: Int32) { unsafe functions?.setThreads(threads) }

  /// Computes C = A · B, or C += A · B if `adding` is true. All matrices are row-major.
  static func multiply(
    rows: Int, columns: Int, depth: Int, _ a: UnsafePointer<Float>, stride aStride: Int,
    _ b: UnsafePointer<Float>, stride bStride: Int, adding: Bool,
    into c: UnsafeMutablePointer<Float>, stride cStride: Int
  ) {
    guard let functions = unsafe functions else {
      for y in 0..<rows {
        let row = unsafe c + y * cStride
        if !adding { unsafe row.update(repeating: 0, count: columns) }
        for k in 0..<depth {
          let (factor, line) = unsafe (a[y * aStride + k], b + k * bStride)
          for x in 0..<columns { unsafe row[x] += factor * line[x] }
        }
      }
      return
    }
    // CblasRowMajor and CblasNoTrans of cblas.h.
    unsafe functions.sgemm(
      101, 111, 111, Int32(rows), Int32(columns), Int32(depth), 1, a, Int32(aStride), b,
      Int32(bStride), adding ? 1 : 0, c, Int32(cStride))
  }

  private static func load() -> Functions? {
    #if canImport(Darwin)
      let names = [
        "libopenblas.dylib", "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
        "/usr/local/opt/openblas/lib/libopenblas.dylib",
      ]
    #else
      let names = ["libopenblas.so.0", "libopenblas.so"]
    #endif
    guard let library = unsafe names.lazy.compactMap(open).first,
      let sgemm = unsafe dlsym(library, "cblas_sgemm"),
      let threads = unsafe dlsym(library, "openblas_get_num_threads"),
      let setThreads = unsafe dlsym(library, "openblas_set_num_threads")
    else { return nil }
    return unsafe Functions(
      sgemm: unsafeBitCast(sgemm, to: SGEMM.self),
      threads: unsafeBitCast(threads, to: (@convention(c) () -> Int32).self),
      setThreads: unsafeBitCast(setThreads, to: (@convention(c) (Int32) -> Void).self))
  }

  /// Opens the library with a single thread, since products run in parallel on the team's threads.
  private static func open(_ name: String) -> UnsafeMutableRawPointer? {
    // The host program may have loaded the library already, with its own setting.
    if let loaded = unsafe dlopen(name, RTLD_NOW | RTLD_NOLOAD) { return unsafe loaded }
    let setting = "OPENBLAS_NUM_THREADS"
    let isSet = unsafe getenv(setting) != nil
    if !isSet { unsafe setenv(setting, "1", 0) }
    defer { if !isSet { unsafe unsetenv(setting) } }
    return unsafe dlopen(name, RTLD_NOW)
  }
}
