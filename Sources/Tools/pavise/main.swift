internal import PaviseCommands
internal import PavisePrimitives

// The only place that ends the process.
ThisProgram.end(await Program.start(CommandLine.arguments))
