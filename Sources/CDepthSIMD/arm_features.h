/// Extensions of arm64 beyond NEON.
enum {
  /// FEAT_DotProd: SDOT and UDOT.
  ck_arm_dotprod = 1,
  /// FEAT_I8MM: USDOT and USMMLA.
  ck_arm_i8mm = 2,
  /// FEAT_SHA256.
  ck_arm_sha256 = 4,
};

/// The extensions that the system reports; 0 on other processors.
unsigned ck_arm_features(void);
