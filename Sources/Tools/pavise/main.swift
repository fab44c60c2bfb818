internal import Foundation
internal import PaviseCommands

// The only place that ends the process.
exit(await Program.start(CommandLine.arguments))
