internal import PaviseLabCommands
internal import PavisePrimitives

// The only place that ends the process.
CurrentExecutable.end(await LabProgram.start(CommandLine.arguments))
