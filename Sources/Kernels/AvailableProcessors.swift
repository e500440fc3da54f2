#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Processors this machine has on line, at least 1: how many threads to use when nothing is said.
package let availableProcessors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
