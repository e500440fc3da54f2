import ArgumentParser

/// `63mm`, `6.3cm`, `2.5m` or metres without a unit; above 0.
struct Length: ExpressibleByArgument {
  let metres: Double

  init?(argument: String) {
    guard let length = Quantity(argument, units: ["mm": 1000, "cm": 100, "m": 1], bare: 1),
      length.value > 0
    else { return nil }
    metres = length.value
  }

  var defaultValueDescription: String { "\(metres)m" }
}
