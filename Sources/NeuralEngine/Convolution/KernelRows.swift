/// Reads the kernels of some output channels in OIHW order. Batch norm is already folded in.
///
/// Several threads request a few output channels at a time, so that a kernel is read, folded and
/// transformed in the cache.
package typealias KernelRows = @Sendable (_ outputChannels: Range<Int>) throws -> [Float]
