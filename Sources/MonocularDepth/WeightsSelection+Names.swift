import WeightsFiles

extension WeightsSelection {
  /// Selects the files of several names for one joint estimate.
  ///
  /// - Parameters:
  ///   - names: Each is `default`, `compact`, the name of a published network, or the path of a file.
  ///   - averagesMirrored: Whether each network also estimates the mirrored photo, for twice the time.
  /// - Throws: `DepthError`; see ``named(_:)``.
  package init(named names: [String], averagesMirrored: Bool = false) throws {
    self.init(
      files: try WeightsLocation.files(named: names), averagesMirrored: averagesMirrored)
  }
}
