/// The exit status of a run that ends early, or in which something failed that was reported.
enum RunStatus: Int32, Error {
  case failure = 1
  /// `EX_USAGE` of sysexits.h.
  case wrongUsage = 64
  /// `EX_TEMPFAIL` of sysexits.h: a failure may be gone when the same command runs again.
  case tryAgain = 75
  /// The conventional status of what ended by SIGINT.
  case interrupted = 130
}
