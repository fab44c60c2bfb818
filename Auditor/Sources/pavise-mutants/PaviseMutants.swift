internal import Foundation
internal import MutantFinder

/// Prints the changes that the named sources allow, one JSON object a line.
@main
enum PaviseMutants {
    private struct Row: Encodable {
        let file: String
        let kind: String
        let start: Int
        let end: Int
        let text: String
        let line: Int
        let function: String
        let before: String
    }

    static func main() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for file in CommandLine.arguments.dropFirst() {
            guard let source = try? String(contentsOfFile: file, encoding: .utf8) else {
                FileHandle.standardError.write(Data("pavise-mutants: \(file) cannot be read\n".utf8))
                exit(2)
            }
            for mutant in MutantFinder.mutants(in: source) {
                let row = Row(
                    file: file, kind: mutant.kind.rawValue, start: mutant.range.lowerBound,
                    end: mutant.range.upperBound,
                    text: mutant.text, line: mutant.line, function: mutant.function, before: mutant.before)
                guard let line = try? encoder.encode(row) else { exit(2) }
                FileHandle.standardOutput.write(line + Data("\n".utf8))
            }
        }
    }
}
