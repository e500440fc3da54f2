import ArgumentParser

/// The help of arguments and options that several commands have.
extension ArgumentHelp {
  static var photos: ArgumentHelp {
    """
    JPEG, PNG, HEIC, WebP or AVIF photos, folders of photos, or '-' for one photo on \
    standard input; without -o, its results are named stdin.
    """
  }

  static var depthOfPhotos: ArgumentHelp {
    ArgumentHelp(
      """
      Depth file, or 'embedded' for the depth stored in the photo. By default depth is estimated. Not with \
      --calibration.
      """,
      discussion: """
        For several photos, give a folder MAPS of depth files. The depth of PHOTOS/PLACE/NAME.jpg is then \
        MAPS/PLACE/NAME_depth.png or MAPS/PLACE/NAME.png, or the same with .pfm or .npy.
        """,
      valueName: "file")
  }

  static var outputFolder: ArgumentHelp {
    ArgumentHelp(
      """
      Folder for output files named after the photos, with the subfolders of the input; created if missing.
      """,
      valueName: "folder")
  }

  static var threads: ArgumentHelp {
    ArgumentHelp(
      """
      Number of threads, 1 to 256. By default one per processor, but at most the environment variable \
      OMP_NUM_THREADS.
      """,
      valueName: "n")
  }

  static var depthScale: ArgumentHelp {
    ArgumentHelp(
      """
      Values per metre in depth files, such as 1000 for millimetres. Needed for files that do not record their unit; \
      5000 by default for TUM.
      """,
      valueName: "n")
  }

  static var mirrored: ArgumentHelp {
    "Average the estimate with that of the mirrored photo. This takes twice the time."
  }
}
