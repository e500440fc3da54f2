#if HEIF
  import DepthBase
  import CDepthHEIF
  import DepthPhotos
  import DepthImages

  /// The meaning of a depth picture's bytes: a quantity that grows evenly from `low` at 0 to `high`
  /// at 255.
  ///
  /// > Source: ITU-T H.265, section G.14.3.3 (depth representation information); for phones, the
  /// > namespace of ``DepthPhotos/PixelDataInfo``.
  struct DepthRepresentation: Equatable {
    var low, high: Double
    /// Unit of the map; for a normalized one `low` and `high` are not used.
    var unit: DepthMap.Unit

    /// Nothing is known but that near is bright.
    static let ordered = DepthRepresentation(low: 0, high: 1, unit: .normalized(near: .white))

    init(low: Double, high: Double, unit: DepthMap.Unit) {
      (self.low, self.high, self.unit) = (low, high, unit)
    }

    init(_ info: PixelDataInfo) {
      self.init(
        low: info.minimum, high: info.maximum, unit: info.isDisparity ? .disparity : .metres)
    }

    /// `nil` when the standard's fields leave the range open.
    init?(_ info: heif_depth_representation_info) {
      let hasRange =
        unsafe info.has_z_near != 0 && info.has_z_far != 0 && info.z_near > 0
        && info.z_far > info.z_near
      switch unsafe info.depth_representation_type {
      case heif_depth_representation_type_uniform_inverse_Z where hasRange:
        unsafe self.init(low: 1 / info.z_far, high: 1 / info.z_near, unit: .disparity)
      case heif_depth_representation_type_uniform_Z where hasRange:
        unsafe self.init(low: info.z_far, high: info.z_near, unit: .metres)
      default:
        // Disparity between views has no metres without a camera.
        return nil
      }
    }

    func map(_ numbers: [UInt8], height: Int, width: Int) -> DepthMap {
      let table = (0...255).map { number -> Float in
        let share = Double(number) / 255
        if case .normalized = unit { return Float(share) }
        let value = low + share * (high - low)
        return value.isFinite && value > 0 ? Float(value) : 0
      }
      return DepthMap(
        height: height, width: width, unit: unit, values: numbers.map { table[Int($0)] })
    }
  }
#endif
