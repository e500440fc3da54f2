import DepthCommands

DepthProgram.main()
