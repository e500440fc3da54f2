extension NetworkStructure: CustomStringConvertible {
  /// A table with one line per layer: name, kernel, input shape and source, output shape, number of
  /// parameters, and residual.
  package var description: String {
    let rows =
      [["layer", "kernel", "reads", "from", "writes", "parameters", "adds"]]
      + layers.map { layer in
        [
          layer.name, layer.kind, layer.input.extents, layer.source,
          layer.output.extents, "\(layer.parameters)", layer.residual ?? "",
        ]
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      var line = ""
      for (text, width) in zip(row, widths) {
        line += text + String(repeating: " ", count: width - text.count + 2)
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    return lines.joined(separator: "\n") + "\n\(parameters) parameters\n"
  }
}

extension Tensor.Shape {
  /// `228×304×3`
  fileprivate var extents: String { "\(height)×\(width)×\(channels)" }
}
