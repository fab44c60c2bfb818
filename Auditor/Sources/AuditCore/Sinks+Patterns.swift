internal import SwiftSyntax

extension Pass {
    /// Regular expressions that are constants.
    func patterns(_ call: Call) {
        guard call.name == "Regex" || call.name == "NSRegularExpression", let first = call[0],
            first.label == nil || first.label == "pattern", first.value.isConstant, let text = first.value.text
        else { return }
        let marks = call["options"]?.value.marks ?? []
        let isWhole = chain(call).contains("wholeMatch")
        if PatternRules.hasLooseHost(text) { report("REGEX-DOT", call.node, "a dot of the host name matches any character", first.value) }
        if !isWhole, PatternRules.isUnanchored(text, lines: marks.contains(.lineAnchors)) {
            report("REGEX-ANCHOR", call.node, "the pattern matches inside of other texts", first.value)
        }
        if PatternRules.isTagFilter(text) { report("TAG-FILTER", call.node, "HTML cannot be filtered by this pattern", first.value) }
        if PatternRules.isExponential(text) { report("REDOS", call.node, "nested repetition takes exponential time", first.value) }
    }

    private func chain(_ call: Call) -> String {
        call.node.parent?.trimmedDescription ?? ""
    }

    /// Lengths counted in one unit and used in another.
    func lengths(_ call: Call) {
        let units = call.arguments.compactMap { argument in argument.value.unit.map { (argument, $0) } }
        func wrong(_ label: String?, _ expected: String) {
            for argument in call.arguments where argument.label == label {
                guard let unit = argument.value.unit, argument.value.text == nil, !isText(argument) else { continue }
                if unit != expected, !(expected == "NSString" && unit == "utf16"), !(expected == "utf16" && unit == "NSString") {
                    report("LENGTH", call.node, "a length in \(unit) units is used where \(expected) counts", argument.value)
                }
            }
        }
        guard !units.isEmpty else { return }
        switch call.name {
        case "NSMakeRange":
            for argument in call.arguments where argument.value.unit != nil { wrong(argument.label, "NSString") }
        case "NSRange":
            wrong("length", "NSString")
            wrong("location", "NSString")
        case "Index", "init": wrong("encodedOffset", "utf16")
        case "index", "formIndex":
            if let unit = call.receiver?.unit { wrong("offsetBy", unit) }
        case "dropFirst", "dropLast", "prefix", "suffix", "removeFirst", "removeLast":
            if let unit = call.receiver?.unit { wrong(nil, unit) }
        case "character", "insert", "deleteCharacters": if call.receiver?.unit == "NSString" { wrong("at", "NSString") }
        case "substring":
            if call.receiver?.unit == "NSString" {
                wrong("from", "NSString")
                wrong("to", "NSString")
            }
        default: break
        }
    }

    private func isText(_ argument: Call.Argument) -> Bool { argument.value.type != nil && argument.value.type != "Int" }
}

/// Judges a pattern by its text alone.
package enum PatternRules {
    private static let domains = ["com", "org", "net", "edu", "gov", "uk", "io", "dev"]

    /// A host of three labels or more with an unescaped dot, or a group or wildcard before one.
    package static func hasLooseHost(_ text: String) -> Bool {
        let pattern = Array(text)
        for domain in domains {
            let word = Array(domain)
            guard pattern.count > word.count + 1 else { continue }
            for index in 1..<(pattern.count - word.count + 1) where Array(pattern[index..<(index + word.count)]) == word {
                guard pattern[index - 1] == "." else { continue }
                let after = index + word.count < pattern.count ? pattern[index + word.count] : " "
                if after.isLetter || after.isNumber || after == "-" { continue }
                if looseHost(pattern, endingAt: index - 1) { return true }
            }
        }
        return false
    }

    private static func looseHost(_ pattern: [Character], endingAt dot: Int) -> Bool {
        var index = dot
        var dots = 0
        var loose = 0
        var hasGroup = false
        while index >= 0 {
            let character = pattern[index]
            if character == "." {
                let isEscaped = index > 0 && pattern[index - 1] == "\\"
                let next = index + 1 < pattern.count ? pattern[index + 1] : " "
                if !isEscaped, next == "*" || next == "+" {
                    hasGroup = true
                } else {
                    dots += 1
                    loose += isEscaped ? 0 : 1
                }
            } else if ")]?*+|([".contains(character) {
                if character == ")" || character == "]" { hasGroup = true }
                if character == "(" || character == "|", !hasGroup { break }
            } else if character == "/" || character == "^" || character == " " || character == ":" {
                break
            }
            index -= 1
        }
        return loose > 0 && (dots > 1 || hasGroup)
    }

    /// A host that is matched anywhere in a text, or alternatives of which only one is anchored.
    package static func isUnanchored(_ text: String, lines: Bool) -> Bool {
        let hasHost = domains.contains { domain in
            guard let range = text.ranges(of: "." + domain).first(where: { range in
                let next = range.upperBound < text.endIndex ? text[range.upperBound] : " "
                return !next.isLetter && !next.isNumber && next != "-"
            }) else { return false }
            return range.lowerBound > text.startIndex
        }
        if hasHost, lines { return true }
        if groups(text).contains(where: semiAnchored) { return true }
        guard hasHost, text.contains("://") || text.contains(":\\/\\/") || text.hasPrefix("^") else { return false }
        let isStart = text.drop { $0 == "(" || $0 == "?" || $0 == ":" }.hasPrefix("^") || text.hasPrefix("(?i)^")
        let alternatives = split(text)
        let allStart = alternatives.allSatisfy { $0.drop { $0 == "(" || $0 == "?" || $0 == ":" }.hasPrefix("^") }
        if !isStart || !allStart { return true }
        return alternatives.contains { one in
            domains.contains { one.hasSuffix("." + $0) || one.hasSuffix("." + $0 + ")") || one.hasSuffix("." + $0 + "?") }
        }
    }

    private static func semiAnchored(_ alternatives: [Substring]) -> Bool {
        guard alternatives.count > 1, let first = alternatives.first, let last = alternatives.last else { return false }
        func starts(_ one: Substring) -> Bool { one.drop { $0 == "(" }.hasPrefix("^") }
        func ends(_ one: Substring) -> Bool {
            var end = one
            while end.hasSuffix(")") { end = end.dropLast() }
            return end.hasSuffix("$") && !end.hasSuffix("\\$")
        }
        func isReal(_ one: Substring) -> Bool { one.contains { $0.isLetter } }
        let others = alternatives.dropFirst()
        if starts(first), !others.contains(where: starts), others.contains(where: isReal), !ends(first), isReal(first) { return true }
        return ends(last) && !alternatives.dropLast().contains(where: ends) && alternatives.dropLast().contains(where: isReal)
            && !starts(last) && isReal(last)
    }

    private static func split(_ text: String) -> [Substring] { split(text[...]) }

    private static func split(_ text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var (depth, inClass, escaped) = (0, false, false)
        var start = text.startIndex
        for index in text.indices {
            let character = text[index]
            if escaped {
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if inClass {
                inClass = character != "]"
            } else if character == "[" {
                inClass = true
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            } else if character == "|", depth == 0 {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    /// The alternatives at the top, and of each group.
    private static func groups(_ text: String) -> [[Substring]] {
        var result = [split(text)]
        var open: [String.Index] = []
        var escaped = false
        for index in text.indices {
            let character = text[index]
            if escaped {
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "(" {
                open.append(text.index(after: index))
            } else if character == ")", let start = open.popLast() {
                result.append(split(text[start..<index]))
            }
        }
        return result
    }

    package static func isTagFilter(_ text: String) -> Bool {
        let lower = text.lowercased()
        if lower.contains("<script") || lower.contains("<(script") { return true }
        return lower.contains("!--") || lower.contains("-->") || lower.contains("<!(--")
    }

    /// A repetition directly inside of a repetition, or alternatives that overlap under one.
    package static func isExponential(_ text: String) -> Bool {
        ["*)*", "+)+", "*)+", "+)*", "|\\n)*", "*)*)*"].contains { text.contains($0) } && !text.contains("(?:[^")
            && (text.contains("|\\n)*") ? text.contains("(?is)") || text.contains("(?s)") : true)
    }
}
