import ArgumentParser

/// A share of the depth range, or `auto`.
struct Convergence: ExpressibleByArgument {
  /// `nil` for the subject's depth.
  let share: Double?

  init?(argument: String) {
    if argument == "auto" {
      share = nil
    } else if let number = Double(argument), (0...1).contains(number) {
      share = number
    } else {
      return nil
    }
  }
}
