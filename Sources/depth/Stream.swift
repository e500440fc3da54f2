import ArgumentParser
import FrameRuns

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

      At the end, standard error gets the frame rate, the number of dropped frames, and the age of frames when \
      their depth was written. The stream ends at the end of its input, when its reader closes, or on Ctrl-C \
      (exit status 130).
      """)

  @OptionGroup var options: StreamOptions

  func run() throws { try options.run() }
}
