/// Reads the kernels of some output channels, in OIHW order and with batch norm folded in.
///
/// Preparing a convolution asks for a few output channels at a time, from several threads, so that
/// a kernel is read, folded and transformed while it is in the cache.
package typealias KernelRows = @Sendable (_ outputChannels: Range<Int>) throws -> [Float]
