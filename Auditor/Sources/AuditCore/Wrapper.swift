/// A place in another file of the tree: its name below the root, and a line.
package struct Elsewhere: Codable, Hashable, Sendable {
    /// Empty in what a worker says about a function of the file that it read.
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

/// What a value is told for, where it comes to a rule.
package enum Taint: String, Codable, Sendable {
    case secret, constant, outside

    /// What the rule asks of a value; `nil` for a rule that does not follow a value through another file's function.
    package static func asked(by rule: String) -> Taint? {
        switch rule {
        case "LOG-SENSITIVE", "LOG-PUBLIC", "LEAK-ANALYTICS", "STORE-DEFAULTS", "STORE-DATABASE", "STORE-FILE",
            "NET-SENSITIVE", "HASH-PASSWORD", "PASTE-GENERAL", "IPC-SENSITIVE", "NOTIFY-CONTENT":
            .secret
        case "CONST-KEY", "CONST-IV", "CONST-SALT", "CONST-PASSWORD": .constant
        case "SQL-STRING", "PREDICATE", "FORMAT", "REGEX", "WEB-HTML", "WEB-JS", "WEB-URL", "PATH", "COMMAND",
            "ZIP-SLIP":
            .outside
        default: nil
        }
    }
}

/// What one function does with its arguments, and what it gives back: all that the rules need of it in other files.
package struct Wrapper: Codable, Hashable, Sendable {
    /// A rule that an argument comes to.
    package struct Reach: Codable, Hashable, Sendable {
        /// The number of the parameter, from 0.
        package var parameter: Int
        package var rule: String
        /// What the rule says, with ``Wrapper/name(of:)`` where the value's name belongs.
        package var message: String
        package var severity: Severity
        /// Where the value goes, the wrapper's own line first.
        package var places: [Elsewhere]
    }

    /// What a call gives back.
    package struct Gift: Codable, Hashable, Sendable {
        /// `nil` for a constant.
        package var kind: String?
        package var name: String
        package var places: [Elsewhere]
    }

    /// The type that the function belongs to; empty for none.
    package var type: String
    /// `init` for an initialiser.
    package var name: String
    /// `_` for none; then `?` where the parameter has a default, `*` where it takes several values.
    package var labels: [String]
    package var reaches: [Reach]
    package var gift: Gift?

    /// How far a value is followed through functions of other files.
    package static let deepest = 3
    /// Rows of one file, and rules that one of them reaches.
    static let most = (rows: 64, reaches: 12)
    /// What stands in a message where the value's name belongs.
    static let hole = "\u{1}"

    package var plainLabels: String { labels.map { $0.filter { $0 != "?" && $0 != "*" } }.joined(separator: ":") }

    /// One function, as two readings of its file say of it: the second may have left out what the first one knew.
    package func joined(_ other: Wrapper) -> Wrapper {
        var result = self
        for reach in other.reaches {
            let index = result.reaches.firstIndex { $0.parameter == reach.parameter && $0.rule == reach.rule }
            if index == nil, result.reaches.count < Self.most.reaches { result.reaches.append(reach) }
        }
        result.gift = gift ?? other.gift
        return result
    }

    package func isSame(_ other: Wrapper) -> Bool {
        type == other.type && name == other.name && labels == other.labels
    }

    /// The same with the file's name at the places that have none.
    package func placed(in file: String) -> Wrapper {
        func placed(_ places: [Elsewhere]) -> [Elsewhere] {
            places.map { $0.file.isEmpty ? Elsewhere(file: file, line: $0.line) : $0 }
        }
        var result = self
        result.reaches = reaches.map { reach in
            var reach = reach
            reach.places = placed(reach.places)
            return reach
        }
        if let gift { result.gift = Gift(kind: gift.kind, name: gift.name, places: placed(gift.places)) }
        return result
    }
}

/// What a worker is told of other files when it reads a file again.
package struct ForeignCalls: Codable, Sendable {
    /// Functions of the file that it is asked about.
    package var asked: [String] = []
    /// All functions of the tree that are called as one of the rows: `NAME TYPE LABELS`, once for each declaration.
    package var declared: [String] = []
    package var rows: [Wrapper] = []

    package init() {}
}

/// The same, ready to be asked.
struct ForeignTable {
    private struct Declaration {
        let type: String
        let labels: [String]
        var count: Int
        var row: Wrapper?
    }
    private var all: [String: [Declaration]] = [:]
    /// Functions of the file that it is asked about.
    let asked: Set<String>
    private var contents: [String: PlainBodies.Content] = [:]

    init(_ calls: ForeignCalls) {
        asked = Set(calls.asked)
        for row in calls.rows {
            var content: PlainBodies.Content = [.rule, .foreign]
            for reach in row.reaches { content.insert(Taint.asked(by: reach.rule) == .secret ? .outlet : .flow) }
            if let gift = row.gift { content.insert(gift.kind == nil ? .flow : .secret) }
            contents[row.name == "init" ? row.type : row.name, default: []].formUnion(content)
        }
        for text in calls.declared {
            let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 else { continue }
            let labels = parts[2].isEmpty ? [] : parts[2].split(separator: ":").map(String.init)
            let index = all[parts[0]]?.firstIndex { $0.type == parts[1] && $0.labels == labels }
            if let index {
                all[parts[0]]?[index].count += 1
            } else {
                all[parts[0], default: []].append(Declaration(type: parts[1], labels: labels, count: 1))
            }
        }
        for row in calls.rows {
            let labels = row.plainLabels.isEmpty ? [] : row.plainLabels.split(separator: ":").map(String.init)
            guard let index = all[row.name]?.firstIndex(where: { $0.type == row.type && $0.labels == labels }) else {
                continue
            }
            all[row.name]?[index].row = row
        }
    }

    /// What the word says of the body that it stands in; `nil` for nothing.
    func content(_ word: String, isDeclared: Bool, isCalled: Bool) -> PlainBodies.Content? {
        if isDeclared, asked.contains(word) { return [.rule, .foreign] }
        return isCalled ? contents[word] : nil
    }

    func knows(_ name: String) -> Bool { all[name] != nil }

    /// The one function that a call with these labels can be, with the numbers of its arguments' parameters.
    ///
    /// - Parameter types: What the receiver may be, the nearest first; `nil` when nothing is known of it.
    func row(_ name: String, of types: [String]?, labels: [String?]) -> (row: Wrapper, parameters: [Int])? {
        guard let declarations = all[name] else { return nil }
        func only(_ type: String?) -> (isKnown: Bool, found: (Wrapper, [Int])?) {
            var found: [(Declaration, [Int])] = []
            for declaration in declarations where type == nil || declaration.type == type {
                if let numbers = Self.match(declaration.row?.labels ?? declaration.labels, labels) {
                    found.append((declaration, numbers))
                }
            }
            // Two that may be called so: neither is.
            guard found.count == 1, let first = found.first, first.0.count == 1, let row = first.0.row else {
                return (!found.isEmpty, nil)
            }
            return (true, (row, first.1))
        }
        guard let types else {
            guard !CommonNames.all.contains(name) else { return nil }
            return only(nil).found
        }
        for type in types {
            let answer = only(type)
            if answer.isKnown { return answer.found }
        }
        return nil
    }

    /// The numbers of the parameters that arguments of these labels go to; `nil` when the call is another function's.
    static func match(_ parameters: [String], _ labels: [String?]) -> [Int]? {
        var result: [Int] = []
        var next = 0
        for label in labels {
            if label == nil, let last = result.last, parameters[last].hasSuffix("*"), last == next - 1 {
                result.append(last)
                continue
            }
            guard
                let index = parameters[next...].firstIndex(where: {
                    $0.filter { $0 != "?" && $0 != "*" } == label ?? "_"
                })
            else { return nil }
            result.append(index)
            next = index + 1
        }
        return result
    }
}

/// Names that the system's own types have too: a call of one is another file's only where its type is written.
package enum CommonNames {
    package static let all: Set<String> = {
        let names = """
            init add append insert remove removeAll delete update set get load save open close send post put \
            write read print log start stop run perform execute handle process show hide present dismiss reload \
            refresh reset clear cancel resume pause fetch find filter map flatMap compactMap forEach reduce \
            sorted contains first last index join joined split replace replacingOccurrences value values key \
            keys object string data bytes text url request response task download upload connect disconnect \
            register unregister subscribe publish sink receive store bind apply configure setup make create \
            build copy move encode decode encrypt decrypt sign verify hash validate check parse format describe \
            title label color font frame image setValue setTitle setObject prepare submit complete finish fail \
            success error warning info debug trace notice fault critical verbose assert select push pop enqueue \
            dequeue next previous async sync dispatch animate layout draw render evaluate query path host name \
            count equals compare merge combine zip observe notify emit call invoke callback application scene \
            tableView collectionView webView session urlSession
            """
        return Set(names.split(separator: " ").map(String.init))
    }()
}
