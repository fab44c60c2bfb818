internal import SwiftSyntax

extension Pass {
    private static let searches: Set = [
        "find", "first", "extract", "detect", "links", "linkify", "search", "highlight", "replace",
    ]

    /// Regular expressions that are constants.
    func patterns(_ call: Call) {
        guard call.name == "Regex" || call.name == "NSRegularExpression", let first = call[0],
            first.label == nil || first.label == "pattern", first.value.isConstant, let text = first.value.text
        else { return }
        let marks = call["options"]?.value.marks ?? []
        let place = first.value.origin ?? Syntax(call.node)
        let chained = enclosingChain(call.node)
        let isInsensitive = marks.contains(.caseInsensitive) || chained.contains("ignoresCase") || text.hasPrefix("(?i")
        let dotsAll =
            marks.contains(.dotMatchesAll) || chained.contains("dotMatchesNewlines") || text.hasPrefix("(?is")
            || text.hasPrefix("(?s")
        let isWhole = chain(call).contains("wholeMatch")
        if PatternRules.hasLooseHost(text) {
            report("REGEX-DOT", place, "a dot of the host name matches any character", first.value)
        }
        if !isWhole, PatternRules.isUnanchored(text, lines: marks.contains(.lineAnchors)) {
            // Who looks for addresses in a text wants to find them inside.
            let isSearch = declaration.last.map { !facts($0).words.allSatisfy { !Self.searches.contains($0) } } ?? false
            report(
                "REGEX-ANCHOR", place, "the pattern matches inside of other texts", first.value,
                isSearch ? .note : nil)
        }
        if PatternRules.isTagFilter(text, isInsensitive: isInsensitive, dotsAll: dotsAll) {
            report("TAG-FILTER", call.node, "HTML cannot be filtered by this pattern", first.value)
        }
        if PatternRules.isExponential(text) {
            report("REDOS", place, "nested repetition takes exponential time", first.value)
        }
    }

    private func enclosingChain(_ node: some SyntaxProtocol) -> String {
        var top = Syntax(node)
        while let parent = top.parent,
            parent.kind == .memberAccessExpr || parent.kind == .functionCallExpr || parent.kind == .tryExpr
        {
            top = parent
        }
        let text = top.trimmedDescription
        return String(text.suffix(120))
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
                if unit != expected, !(expected == "NSString" && unit == "utf16"),
                    !(expected == "utf16" && unit == "NSString")
                {
                    report(
                        "LENGTH", call.node, "a length in \(unit) units is used where \(expected) counts",
                        argument.value)
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
        case "Index", "init": wrong("encodedOffset", "String")
        case "index", "formIndex":
            if call.receiver?.unit == "String" { wrong("offsetBy", "String") }
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

    private func isText(_ argument: Call.Argument) -> Bool {
        argument.value.type != nil && argument.value.type != "Int"
    }
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
            for index in 1..<(pattern.count - word.count + 1) where Array(pattern[index..<(index + word.count)]) == word
            {
                guard pattern[index - 1] == "." else { continue }
                let after = index + word.count < pattern.count ? pattern[index + word.count] : " "
                if after.isLetter || after.isNumber || after == "-" { continue }
                if looseHost(pattern, endingAt: index - 1) { return true }
            }
        }
        return false
    }

    private static func looseHost(_ pattern: [Character], endingAt dot: Int) -> Bool {
        var index = dot - 1
        while index >= 0 {
            let character = pattern[index]
            if character == "/" || character == "^" || character == " " || character == ":" { break }
            if character == ".", index == 0 || pattern[index - 1] != "\\" {
                let next = pattern[index + 1]
                let before = index > 0 ? pattern[index - 1] : "/"
                let isWildcard = next == "*" || next == "+"
                let isPlain = before.isLetter || before.isNumber || before == ")" || before == "*" || before == "]"
                if isWildcard || ((isPlain || next == ")") && next != "\\" && next != "." && next != "|") {
                    return true
                }
            }
            index -= 1
        }
        return false
    }

    /// A host that is matched anywhere in a text, or alternatives of which only one is anchored.
    package static func isUnanchored(_ text: String, lines: Bool) -> Bool {
        let hasHost = domains.contains { domain in
            guard
                let range = text.ranges(of: "." + domain).first(where: { range in
                    let next = range.upperBound < text.endIndex ? text[range.upperBound] : " "
                    return !next.isLetter && !next.isNumber && next != "-"
                })
            else { return false }
            return range.lowerBound > text.startIndex
        }
        if hasHost, lines { return true }
        if text.contains("?id=") { return false }
        if groups(text).contains(where: semiAnchored) { return true }
        guard hasHost, text.contains("://") || text.contains(":\\/\\/") || text.hasPrefix("^") else { return false }
        let isStart = text.drop { $0 == "(" || $0 == "?" || $0 == ":" }.hasPrefix("^") || text.hasPrefix("(?i)^")
        let alternatives = split(text)
        let allStart = alternatives.allSatisfy { $0.drop { $0 == "(" || $0 == "?" || $0 == ":" }.hasPrefix("^") }
        if !isStart || !allStart { return true }
        return alternatives.contains { one in
            domains.contains {
                one.hasSuffix("." + $0) || one.hasSuffix("." + $0 + ")") || one.hasSuffix("." + $0 + "?")
            }
        }
    }

    private static func semiAnchored(_ alternatives: [Substring]) -> Bool {
        guard alternatives.count > 1, let first = alternatives.first, let last = alternatives.last else { return false }
        func starts(_ one: Substring) -> Bool { one.hasPrefix("^") }
        func ends(_ one: Substring) -> Bool {
            one.hasSuffix("$") && !one.hasSuffix("\\$")
        }
        func isReal(_ one: Substring) -> Bool {
            var previous: Character = " "
            for character in one {
                if character.isLetter || character == "%", previous != "\\" { return true }
                previous = character
            }
            return false
        }
        if alternatives.contains(where: { $0.contains("\\b") }) { return false }
        let others = alternatives.dropFirst()
        if starts(first), !others.contains(where: starts), others.contains(where: isReal), !ends(first), isReal(first) {
            return true
        }
        return ends(last) && !alternatives.dropLast().contains(where: ends)
            && alternatives.dropLast().contains(where: isReal)
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

    package static func isTagFilter(_ text: String, isInsensitive: Bool, dotsAll: Bool) -> Bool {
        let lower = text.lowercased()
        if lower.contains("<script") || lower.contains("<(script") {
            let endsWell = lower.contains("script[^>]*") || lower.contains("script([^>]*)")
            let anyContent = lower.contains("[\\s\\s]*") || (dotsAll && lower.contains(">.*?<"))
            let anyStart =
                (dotsAll && lower.contains("script.*?>")) || lower.contains("script[^>]*")
                || lower.contains("script([^>]*)")
            return !(endsWell && anyContent && anyStart && isInsensitive)
        }
        guard lower.contains("!--") || lower.contains("-->") || lower.contains("<!(--") else { return false }
        return !(dotsAll && lower.contains("<!--.*")) && !lower.hasPrefix("^>")
    }

    /// A repetition directly inside of a repetition, or alternatives that overlap under one.
    package static func isExponential(_ text: String) -> Bool {
        ["*)*", "+)+", "*)+", "|\\n)*", "*)*)*"].contains { text.contains($0) } && !text.contains("[^")
            && (text.contains("|\\n)*") ? text.contains("(?is)") || text.contains("(?s)") : true)
    }
}
