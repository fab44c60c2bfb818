// attack-matrix [--json] [--program PAVISE] [CASE…]: plays the lab's attacks at every target and prints the table.
//
// A case is named by the beginning of its id; without one all are played. Without the program its target is left out.
// Status 0: every control stops its attack; 1: one does not; 2: wrong usage, or nothing could be played.
internal import Foundation
internal import PaviseAttackedClients
internal import PaviseLab

var words = Array(CommandLine.arguments.dropFirst())
let asJSON = words.contains("--json")
words.removeAll { $0 == "--json" }
var program: String?
if let mark = words.firstIndex(of: "--program"), mark + 1 < words.count {
    program = words[mark + 1]
    words.removeSubrange(mark...mark + 1)
}
let wanted = words
let cases = AttackTable.all.filter { attack in wanted.isEmpty || wanted.contains { attack.id.hasPrefix($0) } }
guard !cases.isEmpty, !wanted.contains(where: { $0.hasPrefix("-") }) else {
    FileHandle.standardError.write(Data("usage: attack-matrix [--json] [--program PAVISE] [CASE…]\n".utf8))
    exit(2)
}
do {
    let workshop = try AttackFixtures()
    var targets: [any AttackedClient] = [AttackedTransport(), AttackedURLSession(), AttackedAppSecurity()]
    if let program { targets.append(try await AttackedProgram(program: program, workshop: workshop)) }
    let report = AttackReport(await AttackRun(workshop, targets: targets).play(cases))
    print(asJSON ? report.json : report.text, terminator: asJSON ? "\n" : "")
    exit(report.isClean ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("attack-matrix: \(error)\n".utf8))
    exit(2)
}
