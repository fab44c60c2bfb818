// conformance SUITE PATH…: a published suite of cases played against Pavise.
//
// Each suite is one file or folder in the schema of its origin. Counts and the ids of the cases that failed go to standard
// output as JSON. Status 0: each failure is in the written list of expectations; 1: one is not; 2: wrong usage or no such file.
internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard let name = arguments.first, let suite = Suite.all[name], arguments.count > 1 else {
    let names = Suite.all.keys.sorted().joined(separator: "|")
    FileHandle.standardError.write(Data("usage: conformance \(names) FILE|FOLDER…\n".utf8))
    exit(2)
}
do {
    let report = try suite(Array(arguments.dropFirst()))
    print(report.json)
    exit(report.unexpected.isEmpty ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("conformance \(name): \(error)\n".utf8))
    exit(2)
}
