import Foundation

/// The walk of the README: its commands in their order, and what stands behind each as a remark.
struct ReadmeWalk {
    /// One line of it.
    struct Step: CustomStringConvertible {
        let words: [String]
        let remark: String
        var description: String { words.joined(separator: " ") }

        /// The exit status that the remark promises; 0 without a promise.
        var status: Int32 {
            let number = remark.components(separatedBy: "status ").dropFirst().first?.prefix { $0.isNumber }
            return number.flatMap { Int32($0) } ?? 0
        }

        /// What stands in capitals, and what was printed in its place; `nil` when anything else differs.
        func values(in printed: [String]) -> [String: String]? {
            guard printed.count == words.count else { return nil }
            var values: [String: String] = [:]
            for (word, other) in zip(words, printed) where word != other {
                guard Self.isName(word) else { return nil }
                values[word] = other
            }
            return values
        }

        /// The words for the program, with `values` for what stands in capitals.
        func filled(_ values: [String: String]) -> [String] { words.dropFirst().map { values[$0] ?? $0 } }

        private static func isName(_ word: String) -> Bool { word.allSatisfy { $0.isASCII && $0.isUppercase } }
    }

    let steps: [Step]

    /// Reads the first block behind a mark like `<!-- walk -->`.
    init(_ mark: String = "walk", file: String = #filePath) throws {
        let readme = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        let behind = text.components(separatedBy: "<!-- \(mark) -->").dropFirst().first ?? ""
        let block = behind.components(separatedBy: "```").dropFirst().first ?? ""
        steps = block.split(separator: "\n").map { line in
            let parts = line.split(separator: "#", maxSplits: 1)
            return Step(
                words: (parts.first ?? "").split(separator: " ").map(String.init),
                remark: parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? "")
        }
    }
}
