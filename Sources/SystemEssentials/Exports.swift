// The standard library's neighbors under one name: what every file that touches files, paths or the system's calls
// imports. FoundationEssentials leaves out what links ICU; the C library has a name of its own on each system.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
