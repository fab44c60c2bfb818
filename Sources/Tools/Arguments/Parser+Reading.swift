extension Parser {
    /// The words of one command, sorted into options and arguments.
    struct Reading {
        let command: Command
        let path: [String]
        private var values: [String: [String]] = [:]
        private var words: [String] = []

        init(command: Command, path: [String]) {
            self.command = command
            self.path = path
        }

        /// The name in front of `=`: what may be repeated in a message.
        static func name(of word: String) -> String { String(word.prefix { $0 != "=" }) }

        mutating func read(_ input: ArraySlice<String>) throws(UsageError) {
            var rest = input
            while let word = rest.popFirst() {
                if word == "--" {
                    words += rest
                    return
                }
                if word.hasPrefix("--") {
                    try readLong(word, &rest)
                } else if word.hasPrefix("-") && word.count > 1 {
                    try readLetters(word, &rest)
                } else {
                    words.append(word)
                }
            }
        }

        /// Puts the words into their places and gives all values.
        func finished() throws(UsageError) -> [String: [String]] {
            let places = command.arguments
            let required = places.count { $0.isRequired }
            let takesRest = places.last?.isRepeated == true
            guard takesRest || words.count <= places.count else {
                throw error(.unexpectedArgument(expected: places.count))
            }
            guard words.count >= required else {
                let missing = places.filter(\.isRequired)[words.count]
                throw error(.missingArgument(missing.placeholder))
            }
            var all = values
            var rest = words[...]
            var spare = min(words.count, places.count) - required
            for place in places {
                guard place.isRequired || spare > 0 else { continue }
                if !place.isRequired { spare -= 1 }
                guard let word = rest.popFirst() else { break }
                let own = place.isRepeated ? [word] + rest : [word]
                for (index, word) in own.enumerated() {
                    // Which of two hundred addresses it is; the word itself is never repeated.
                    let isOne = own.count == 1
                    let which = isOne ? "" : " \(index + 1) of \(own.count)"
                    try check(word, for: place, place.spelling + which)
                }
                all[place.spelling] = own
            }
            return all
        }

        private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
            let name = Self.name(of: word)
            guard let parameter = command.namedParameters.first(where: { $0.spelling == name }) else {
                let known = command.namedParameters.map(\.spelling) + ["--help"]
                throw error(.unknownOption(name, nearest: Spelling.nearest(to: name, among: known)))
            }
            let attached = name.count < word.count ? String(word.dropFirst(name.count + 1)) : nil
            guard parameter.kind == .option else {
                guard attached == nil else { throw error(.unexpectedValue(flag: parameter.spelling)) }
                return try set(parameter, "")
            }
            guard let attached else { return try set(parameter, nextValue(for: parameter, &rest)) }
            try set(parameter, attached)
        }

        // -ij are two flags; -XPOST and -X POST are one option.
        private mutating func readLetters(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
            var letters = word.dropFirst()
            while let letter = letters.popFirst() {
                guard let parameter = command.namedParameters.first(where: { $0.letter == letter }) else {
                    throw error(.unknownOption("-\(letter)", nearest: nil))
                }
                guard parameter.kind == .option else {
                    try set(parameter, "")
                    continue
                }
                return try set(parameter, letters.isEmpty ? nextValue(for: parameter, &rest) : String(letters))
            }
        }

        private func nextValue(for parameter: Parameter, _ rest: inout ArraySlice<String>) throws(UsageError) -> String
        {
            guard let next = rest.first, next == "-" || !next.hasPrefix("-") else {
                throw error(.missingValue(option: parameter.spelling, placeholder: parameter.placeholder))
            }
            rest.removeFirst()
            return next
        }

        private mutating func set(_ parameter: Parameter, _ value: String) throws(UsageError) {
            guard parameter.isRepeated || values[parameter.spelling] == nil else {
                throw error(.repeated(parameter.spelling))
            }
            try check(value, for: parameter, parameter.spelling)
            values[parameter.spelling, default: []].append(value)
        }

        private func check(_ value: String, for parameter: Parameter, _ spelling: String) throws(UsageError) {
            let isMissing = value.isEmpty && parameter.kind != .flag && !parameter.allowsEmpty
            guard !isMissing else { throw error(.invalid(spelling, reason: "is empty")) }
            guard let problem = parameter.problem(value) else { return }
            throw error(.invalid(spelling, reason: problem.reason))
        }

        private func error(_ problem: UsageError.Problem) -> UsageError { UsageError(problem, path: path) }
    }
}
