/// The exit status of a run that ended early or reported failures.
enum RunStatus: Int32, Error {
  case failure = 1
  /// `EX_USAGE` of sysexits.h.
  case wrongUsage = 64
  /// `EX_TEMPFAIL` of sysexits.h: a retry of the same command may succeed.
  case tryAgain = 75
  /// The conventional status after SIGINT.
  case interrupted = 130
}
