// The product ProximityAlerts needs no other import.
import ProximityAlerts

func alerts(_ maps: [(depth: DepthMap, time: Double)]) throws -> [ProximityEvent] {
  var rule = ProximityRule()
  rule.near = 1.2  // metres
  var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
  return try maps.flatMap { try monitor.observe($0.depth, at: $0.time) }
}
