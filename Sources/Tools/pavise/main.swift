internal import PaviseCommands
internal import PavisePrimitives

// The only place that ends the process.
CurrentExecutable.end(await Program.start(CommandLine.arguments))
