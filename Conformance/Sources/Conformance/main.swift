// conformance SUITE [--plant CASE] PATH…: a published suite of cases played against Pavise.
//
// Each suite is one file or folder in the schema of its origin. Counts and the ids of cases that were not played or
// came out otherwise go to standard output as JSON, one line for a person to standard error. Status 0: each case that
// was played came out as published or as a written expectation says; 1: one did not, or none was played; 2: wrong usage
// or no such file. `--plant` turns the published verdict of one case around (`first`: the first), to see that the run
// fails.
internal import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let words = SuiteArguments(Array(arguments.dropFirst()))
guard let name = arguments.first, let suite = Suite.all[name], !words.paths.isEmpty else {
    let names = Suite.all.keys.sorted().joined(separator: "|")
    FileHandle.standardError.write(Data("usage: conformance \(names) [--plant CASE] FILE|FOLDER…\n".utf8))
    exit(2)
}
do {
    let report = try suite(words)
    print(report.json)
    FileHandle.standardError.write(Data("\(report.summary)\n".utf8))
    exit(report.status)
} catch {
    FileHandle.standardError.write(Data("conformance \(name): \(error)\n".utf8))
    exit(2)
}
