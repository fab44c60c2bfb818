/// Bodies of functions, initialisers, computed properties and closures of initial values in which nothing stands that a
/// rule speaks about. The parser gets them as empty ones, and no value of theirs is followed.
///
/// Bodies are next to each other where a value could get from one to the other: one calls or names the other, or sets
/// what the other names. A body stays where a rule speaks about it, and so does each one near it; a body with the name of
/// a secret, or with a way out, stays where the other one of the two is near.
struct PlainBodies {
    /// What stands in a body.
    struct Content: OptionSet {
        let rawValue: UInt8
        /// The name of a person's data or a secret.
        static let secret = Content(rawValue: 1)
        /// A way out.
        static let outlet = Content(rawValue: 2)
        /// What a rule judges by itself.
        static let rule = Content(rawValue: 4)
        /// What a rule judges by the values that come to it or go from it.
        static let flow = Content(rawValue: 8)
        /// A call of another file's function, or a function that other files ask about.
        static let foreign = Content(rawValue: 16)
    }

    /// How far a value is followed, counted in bodies and in the names between them.
    private static let reach = 6

    /// A name as it stands in the source.
    private struct Mention {
        let name: ObjectIdentifier
        var isCalled = false
        var isSet = false
    }

    private struct Body {
        /// `nil` for what stands outside of all bodies.
        let name: ObjectIdentifier?
        let isFunction: Bool
        let bytes: Range<Int>
        let mentions: Range<Int>
        var content: Content
    }

    /// A declaration whose body may come.
    private struct Pending {
        let name: ObjectIdentifier
        let isFunction: Bool
        let depth: Int
        let end: Int
        var value: Int?
        var content: Content = []
        var bodyStart = 0
        var firstMention = 0
        var conditions = 0
    }

    private var mentions: [Mention] = []
    private var bodies: [Body] = []
    private var outside: Content = []
    private var pending: Pending?
    private var isInside = false
    private var declares = -1
    /// Names of variables and constants that the file declares; those of its frameworks are kept apart by nothing here.
    private var own: Set<ObjectIdentifier> = []
    private var hasRecords = false
    private var types: [(name: ObjectIdentifier, depth: Int)] = []

    /// Whether the place is in a body, or before one, that may turn out to say nothing.
    var isUndecided: Bool { pending.map { !$0.content.contains(.flow) } ?? !outside.contains(.flow) }

    /// The file declares what a database stores: whoever sets a property of it writes to the disk.
    mutating func noteRecord() { hasRecords = true }

    mutating func note(_ content: Content) {
        if pending != nil { pending?.content.formUnion(content) } else { outside.formUnion(content) }
    }

    mutating func word(
        _ name: NameFacts, _ text: String, _ range: Range<Int>, after previous: String, depth: Int, line: Int,
        _ bytes: [UInt8]
    ) {
        var mention = Mention(name: ObjectIdentifier(name))
        func byte(_ place: Int) -> UInt8 { bytes.indices.contains(place) ? bytes[place] : 0 }
        if text == "let" || text == "var" { declares = line }
        switch previous {
        case "func": return declared(mention.name, depth, range, isFunction: true)
        case "var", "let": return declared(mention.name, depth, range, isFunction: false)
        case "class", "struct", "enum", "actor", "extension":
            while let last = types.last, last.depth >= depth { types.removeLast() }
            types.append((mention.name, depth))
        default:
            var next = range.upperBound
            if byte(next) == UInt8(ascii: "?") || byte(next) == UInt8(ascii: "!") { next += 1 }
            if byte(next) == 32, byte(next + 1) == UInt8(ascii: "{") { next += 1 }
            let isMember = byte(range.lowerBound - 1) == UInt8(ascii: ".")
            let opens = [UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "<")].contains(byte(next))
            mention.isCalled = opens && !(isMember && previous == "super")
            if text == "init", opens, !isMember {
                while let last = types.last, last.depth >= depth { types.removeLast() }
                return declared(types.last?.name ?? mention.name, depth, range, isFunction: true)
            }
        }
        mentions.append(mention)
        guard !isInside else { return }
        if let waiting = pending, depth <= waiting.depth, Self.declarations.contains(text) { drop() }
    }

    private mutating func declared(_ name: ObjectIdentifier, _ depth: Int, _ range: Range<Int>, isFunction: Bool) {
        if !isFunction { own.insert(name) }
        guard !isInside else { return }
        drop()
        pending = Pending(name: name, isFunction: isFunction, depth: depth, end: range.upperBound)
    }

    /// What was read after a declaration without a body stands outside of all bodies.
    private mutating func drop() {
        if let waiting = pending { outside.formUnion(waiting.content) }
        pending = nil
    }

    private static let declarations: Set = [
        "func", "var", "let", "init", "deinit", "class", "struct", "enum", "actor", "extension", "protocol",
        "typealias",
        "case", "subscript", "import", "associatedtype", "if", "guard", "while", "for", "switch", "return",
    ]

    /// An equals sign that gives a value.
    mutating func assignment(at place: Int, depth: Int, line: Int) {
        if !isInside, let waiting = pending, !waiting.isFunction, depth == waiting.depth, waiting.value == nil {
            pending?.value = place
        }
        if declares != line, !mentions.isEmpty { mentions[mentions.count - 1].isSet = true }
    }

    /// - Parameter depth: How many brackets are open around this one.
    mutating func open(at place: Int, depth: Int, conditions: Int, _ bytes: [UInt8]) {
        guard !isInside, let waiting = pending else { return }
        guard depth == waiting.depth else {
            if depth < waiting.depth { drop() }
            return
        }
        if !waiting.isFunction {
            let before = bytes[(waiting.value.map { $0 + 1 } ?? waiting.end)..<place]
            let isBody =
                waiting.value == nil ? !before.contains(10) : before.allSatisfy { $0 == 32 || $0 == 10 || $0 == 9 }
            guard isBody else { return drop() }
        }
        isInside = true
        pending?.bodyStart = place + 1
        pending?.firstMention = mentions.count
        pending?.conditions = conditions
    }

    /// - Parameter depth: How many brackets are open after this one is closed.
    mutating func close(at place: Int, depth: Int, conditions: Int) {
        guard let waiting = pending else { return }
        guard isInside else {
            if depth < waiting.depth { drop() }
            return
        }
        guard depth == waiting.depth else { return }
        bodies.append(
            Body(
                name: waiting.name, isFunction: waiting.isFunction, bytes: waiting.bodyStart..<place,
                mentions: waiting.firstMention..<mentions.count,
                content: conditions == waiting.conditions ? waiting.content : .rule.union(waiting.content)))
        isInside = false
        pending = nil
    }

    /// The bodies that say nothing.
    var empty: [Range<Int>] { plain().filter { $0.count > 20 } }

    /// `bytes` with the bodies at `plain` made empty, lines and places as they were; `nil` where there is none.
    static func without(_ bytes: [UInt8], _ plain: [Range<Int>]) -> [UInt8]? {
        guard !plain.isEmpty else { return nil }
        var result = bytes
        var span = result.mutableSpan
        for range in plain {
            for index in range where span[index] != 10 { span[index] = 32 }
        }
        return result
    }

    private func plain() -> [Range<Int>] {
        let neighbours = Neighbours(bodies.map { ($0.name, $0.isFunction, mentions[$0.mentions]) }, rest(), own)
        func distances(_ content: Content) -> [Int] {
            var starts = bodies.indices.filter { !bodies[$0].content.isDisjoint(with: content) }
            if !outside.isDisjoint(with: content) { starts.append(bodies.count) }
            return neighbours.distances(from: starts, reach: Self.reach)
        }
        let (flows, secrets, outlets) = (distances(.flow), distances([.secret, .flow]), distances([.outlet, .flow]))
        // When a file is read again, only what calls another file's function is of interest, and who calls that.
        let foreign = Set(bodies.filter { $0.content.contains(.foreign) }.compactMap(\.name))
        let isAgain = !foreign.isEmpty || outside.contains(.foreign)
        return bodies.indices.compactMap { index in
            if isAgain, !bodies[index].content.contains(.foreign) {
                let calls = mentions[bodies[index].mentions].contains { $0.isCalled && foreign.contains($0.name) }
                if !calls || bodies[index].content.isEmpty { return bodies[index].bytes }
            }
            if bodies[index].content.contains(.rule) || flows[index] <= Self.reach { return nil }
            if hasRecords, bodies[index].content.contains(.secret) { return nil }
            return secrets[index] + outlets[index] <= Self.reach ? nil : bodies[index].bytes
        }
    }

    /// The names outside of all bodies.
    private func rest() -> [ArraySlice<Mention>] {
        var result: [ArraySlice<Mention>] = []
        var last = 0
        for body in bodies {
            result.append(mentions[last..<body.mentions.lowerBound])
            last = body.mentions.upperBound
        }
        return result + [mentions[last...]]
    }

    /// Bodies and the names that lead from one to the other; what is outside of all bodies is the last of them.
    private struct Neighbours {
        private var names: [[Int]] = []
        private var bodies: [[Int]] = []

        init(
            _ all: [(name: ObjectIdentifier?, isFunction: Bool, mentions: ArraySlice<Mention>)],
            _ rest: [ArraySlice<Mention>], _ own: Set<ObjectIdentifier>
        ) {
            var numbers: [ObjectIdentifier: Int] = [:]
            var isFunction: [Bool] = []
            var isValue: [Bool] = []
            func number(_ name: ObjectIdentifier) -> Int {
                if let known = numbers[name] { return known }
                numbers[name] = isFunction.count
                isFunction.append(false)
                isValue.append(false)
                return isFunction.count - 1
            }
            for body in all {
                if let name = body.name {
                    if body.isFunction { isFunction[number(name)] = true } else { isValue[number(name)] = true }
                }
                for mention in body.mentions where mention.isSet && own.contains(mention.name) {
                    isValue[number(mention.name)] = true
                }
            }
            for mention in rest.joined() where mention.isSet && own.contains(mention.name) {
                isValue[number(mention.name)] = true
            }
            bodies = Array(repeating: [], count: numbers.count)
            for body in all {
                var all = Set(body.name.flatMap { numbers[$0] }.map { [$0] } ?? [])
                for mention in body.mentions {
                    guard let name = numbers[mention.name] else { continue }
                    if isValue[name] || mention.isCalled && isFunction[name] { all.insert(name) }
                }
                names.append(Array(all))
            }
            var outer: Set<Int> = []
            for mention in rest.joined() {
                guard let name = numbers[mention.name] else { continue }
                if isValue[name] || mention.isCalled && isFunction[name] { outer.insert(name) }
            }
            names.append(Array(outer))
            for index in names.indices { for name in names[index] { bodies[name].append(index) } }
        }

        /// How far each body is from the next one of `starts`; more than `reach` for those that are farther.
        func distances(from starts: [Int], reach: Int) -> [Int] {
            var result = [Int](repeating: reach + 1, count: names.count)
            var seen = [Bool](repeating: false, count: bodies.count)
            var edge = starts
            for start in starts { result[start] = 0 }
            var distance = 0
            while distance < reach, !edge.isEmpty {
                distance += 2
                var next: [Int] = []
                // What stands outside of all bodies begins a way and ends one; no value goes through it.
                for body in edge where distance == 2 || body < names.count - 1 {
                    for name in names[body] where !seen[name] {
                        seen[name] = true
                        for other in bodies[name] where result[other] > distance {
                            result[other] = distance
                            next.append(other)
                        }
                    }
                }
                edge = next
            }
            return result
        }
    }
}
