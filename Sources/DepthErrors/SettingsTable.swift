/// Settings that JSON has as an object, read and written by a table of its keys.
///
/// Keys are part of the interface: each conformance documents them, and they never change their
/// meaning.
package protocol SettingsCodable: Codable, Sendable {
  /// The keys, in the order in which they are read.
  static var settings: SettingsTable<Self> { get }
}

/// The keys of an object, and what their values must be.
package struct SettingsTable<Root: Sendable>: Sendable {
  let standard: Root
  let settings: [Setting<Root>]
  let check: @Sendable (Root) throws -> Void

  /// - Parameters:
  ///   - standard: The defaults; its values for required keys are not used.
  ///   - settings: The keys, in the order in which they are read.
  ///   - check: Throws if the values make no sense.
  package init(
    _ standard: Root, _ settings: Setting<Root>...,
    check: @escaping @Sendable (Root) throws -> Void = { _ in }
  ) {
    (self.standard, self.settings, self.check) = (standard, settings, check)
  }
}

/// One key of an object.
package struct Setting<Root>: Sendable {
  typealias Read =
    @Sendable (inout Root, KeyedDecodingContainer<SettingsObject.CodingKeys>) throws
    -> Void
  typealias Write =
    @Sendable (Root, inout KeyedEncodingContainer<SettingsObject.CodingKeys>) throws
    -> Void

  let key: SettingsObject.CodingKeys
  let read: Read
  let write: Write

  /// A key that may be missing or null, and then takes its default.
  package static func defaulted<Value: Codable & Sendable>(
    _ key: SettingsObject.CodingKeys, _ path: any WritableKeyPath<Root, Value> & Sendable
  ) -> Setting {
    Setting(key: key) { root, values in
      root[keyPath: path] = try values.value(key, default: root[keyPath: path])
    } write: {
      try $1.encode($0[keyPath: path], forKey: key)
    }
  }

  /// A key that may be missing or null, and is missing where there is no value.
  package static func optional<Value: Codable & Sendable>(
    _ key: SettingsObject.CodingKeys, _ path: any WritableKeyPath<Root, Value?> & Sendable
  ) -> Setting {
    Setting(key: key) { root, values in
      root[keyPath: path] = try values.decodeIfPresent(Value.self, forKey: key)
    } write: {
      try $1.encodeIfPresent($0[keyPath: path], forKey: key)
    }
  }

  /// A key that must be there.
  package static func required<Value: Codable & Sendable>(
    _ key: SettingsObject.CodingKeys, _ path: any WritableKeyPath<Root, Value> & Sendable
  ) -> Setting {
    Setting(key: key) { root, values in
      root[keyPath: path] = try values.decode(Value.self, forKey: key)
    } write: {
      try $1.encode($0[keyPath: path], forKey: key)
    }
  }

  /// A key that is written, and not looked at when read.
  package static func written<Value: Codable & Sendable>(
    _ key: SettingsObject.CodingKeys, _ path: any KeyPath<Root, Value> & Sendable
  ) -> Setting {
    Setting(key: key) { _, _ in
    } write: {
      try $1.encode($0[keyPath: path], forKey: key)
    }
  }
}

extension SettingsCodable {
  /// Reads the object that the conformance describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let table = Self.settings
    let values = try decoder.settings(table.settings.map(\.key))
    self = table.standard
    for setting in table.settings { try setting.read(&self, values) }
    let value = self
    try decoder.checking { try table.check(value) }
  }

  /// Writes the object that the conformance describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    for setting in Self.settings.settings { try setting.write(self, &values) }
  }
}
