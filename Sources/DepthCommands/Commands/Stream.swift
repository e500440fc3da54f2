import ArgumentParser

/// `depth stream`: frames on standard input → depth frames on standard output.
struct Stream: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Turn a stream of frames into a stream of depth.",
    discussion: """
      Reads YUV4MPEG2 (ffmpeg -f yuv4mpegpipe), PPM, PGM, Motion JPEG and raw frames from standard input. \
      Writes YUV4MPEG2, PGM or raw depth to standard output. Damaged pictures in Motion JPEG are skipped and \
      counted. Examples:

        ffmpeg -i in.mp4 -f yuv4mpegpipe - | depth stream |
          ffmpeg -f yuv4mpegpipe -i - out.mp4
        ffmpeg -f v4l2 -i /dev/video0 -f yuv4mpegpipe - |
          depth stream --latest --to color | ffplay -

      The stream ends when its input ends, when the program that reads its output closes it, or on Ctrl-C (exit \
      status 130). Then standard error gets the frame rate, the number of dropped frames, and the time from the \
      arrival of a frame to its written depth.
      """)

  @OptionGroup var options: StreamOptions

  func run() throws { try options.run() }
}
