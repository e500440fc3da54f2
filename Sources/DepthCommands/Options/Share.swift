import ArgumentParser

/// `1%` or `0.01`.
struct Share: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let share = Quantity(argument, units: ["%": 100], bare: 1) else { return nil }
    value = share.value
  }
}
