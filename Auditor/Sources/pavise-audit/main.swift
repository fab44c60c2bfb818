internal import AuditDriver
internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--worker" { Worker.run() }
exit(Program(arguments: arguments).run())
