import ArgumentParser

/// `depth watch`: frames on standard input → proximity events.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Report when something comes near in a video stream.",
    discussion: """
      Reads frames as 'depth stream' does and prints one JSON object per event: 'enter' (something is near), 'leave' \
      (nothing is near anymore), 'BLIND' (too few pixels have a depth, or frames stop) or 'sighted' (no longer \
      blind). \
      Each event has the zone, the nearest distance in metres, the seconds to contact, the age of the frame in \
      seconds and the number of frames dropped so far; a value that is not known is null. Examples:

        ffmpeg -f v4l2 -i /dev/video0 -f yuv4mpegpipe - |
          depth watch --near 0.8m --fov 70
        ffmpeg -i in.mp4 -f yuv4mpegpipe - | depth watch --every-frame --near 4m

      Damaged pictures in Motion JPEG are skipped and counted. Distances are estimates from one picture: never \
      rely on them alone where people could be hurt.
      """)

  @OptionGroup var options: WatchOptions

  func run() throws { try options.run() }
}
