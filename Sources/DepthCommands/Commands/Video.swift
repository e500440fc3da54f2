import ArgumentParser

/// `depth video`: a film through ffmpeg, with sound, tags and timing kept.
struct Video: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "video",
    abstract: "Make a 3D film, a film with an effect or a depth film.",
    discussion: """
      Give one of --stereo, --effect and --depth. Needs ffmpeg and ffprobe on the PATH. The new film keeps sound, \
      subtitles, chapters, frame times and color tags; stereo films are tagged as stereo. On Ctrl-C the film ends at \
      the current frame and stays playable; with --segments, no film is written, and the same command, without \
      --overwrite, resumes. Examples:

        depth video film.mp4 film_sbs.mp4 --stereo sbs-half
        depth video film.mkv out/ --stereo sbs --max-parallax 3% --codec libx265
        depth video clip.mp4 portrait.mp4 --effect blur --focus nearest
        depth video clip.mp4 depth.mp4 --depth
        depth video films/ 3d/ --stereo tb-half --segments --skip-existing
        depth video film.mp4 try.mp4 --stereo anaglyph --preview 10s
      """)

  @OptionGroup var options: VideoOptions

  func run() throws { try options.run() }
}
