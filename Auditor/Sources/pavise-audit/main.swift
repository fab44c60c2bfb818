internal import AuditDriver
internal import AuditEvidence
internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--worker" { Worker.run(root: arguments.dropFirst().first ?? "") }
if arguments.first == "evidence" { exit(EvidenceProgram(arguments: Array(arguments.dropFirst())).run()) }
exit(Program(arguments: arguments).run())
