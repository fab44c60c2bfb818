internal import PavisePrimitives

/// Reads the members of a managed configuration and notes what cannot be used, all of it and not only the first.
struct ManagedReader {
    private(set) var problems: [String] = []
    private(set) var unknownKeys: [ManagedConfiguration.UnknownKey] = []

    /// The most elements of one list.
    static let listLimit = 10_000

    /// The rules, as far as they could be read.
    mutating func trust(_ value: JSONValue) -> ManagedTrust {
        check(value, "", ManagedKey.allCases.map(\.rawValue))
        var trust = ManagedTrust()
        trust.allowedServers = list(value, .allowedServers, "a host or *.host, with or without a port") {
            $0.string.flatMap(ServerPattern.init)
        }
        trust.preApproved = objects(value, .preApproved) { $0.approval($1, $2) }
        trust.requiredPins = objects(value, .requiredPins) { $0.pins($1, $2) }
        trust.denied = value[ManagedKey.denied.rawValue].map { denied($0, ManagedKey.denied.rawValue) } ?? .init()
        trust.forbidsPlainHTTP = word(value, .plainHTTP, ["forbidden": true, "warn": false]) ?? true
        trust.renewal = word(value, .renewal, Self.words(ManagedTrust.Renewal.self)) ?? trust.renewal
        trust.personApproval = word(value, .userApproval, Self.words(ManagedTrust.PersonApproval.self)) ?? .allowed
        trust.transparentHosts = Set(list(value, .transparency, "a host name") { $0.string.flatMap(Self.host) } ?? [])
        return trust
    }

    /// Notes keys that are not known.
    mutating func check(_ value: JSONValue, _ path: String, _ known: [String]) {
        for member in value.members ?? [] where !known.contains(member.name) {
            unknownKeys.append(
                .init(
                    path: path.isEmpty ? member.name : "\(path).\(member.name)",
                    nearest: ATSKey.nearest(to: member.name, among: known)))
        }
    }

    /// Notes a value that cannot be used.
    mutating func refuse(_ path: String, _ expected: String) { problems.append("\(path): expected \(expected).") }

    /// The elements of the list `name`; `nil` when the key is missing.
    mutating func list<Element>(
        _ value: JSONValue, _ name: String, _ path: String, _ expected: String, _ read: (JSONValue) -> Element?
    ) -> [Element]? {
        guard let found = value[name] else { return nil }
        guard let array = found.array, array.count <= Self.listLimit else {
            refuse(path, "a list of at most \(Self.listLimit)")
            return nil
        }
        return array.enumerated().compactMap { index, element in
            let made = read(element)
            if made == nil { refuse("\(path)[\(index)]", expected) }
            return made
        }
    }

    private mutating func list<Element>(
        _ value: JSONValue, _ key: ManagedKey, _ expected: String, _ read: (JSONValue) -> Element?
    ) -> [Element]? {
        list(value, key.rawValue, key.rawValue, expected, read)
    }

    private mutating func objects<Element>(
        _ value: JSONValue, _ key: ManagedKey, _ read: (inout ManagedReader, JSONValue, String) -> Element?
    ) -> [Element] {
        let found = list(value, key, "an object") { $0.members == nil ? nil : $0 } ?? []
        return found.enumerated().compactMap { read(&self, $1, "\(key.rawValue)[\($0)]") }
    }

    private mutating func word<Value>(_ value: JSONValue, _ key: ManagedKey, _ words: [String: Value]) -> Value? {
        guard let found = value[key.rawValue] else { return nil }
        guard let text = found.string, let meant = words[text] else {
            refuse(key.rawValue, "one of \(words.keys.sorted().joined(separator: ", "))")
            return nil
        }
        return meant
    }

    /// The words of a closed list.
    static func words<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> [String: Word] {
        Dictionary(Word.allCases.map { ($0.rawValue, $0) }) { one, _ in one }
    }

    /// A host name or address in lower case as the rules compare it; `nil` for anything else.
    static func host(_ text: String) -> String? {
        let name = text.contains(":") ? "[\(text)]" : text
        guard (try? WebURL("https://\(name)/"))?.origin.host == text, !text.hasSuffix(".") else { return nil }
        return text
    }
}

/// The keys at the top.
enum ManagedKey: String, CaseIterable {
    case allowedServers, preApproved, requiredPins, denied, plainHTTP, renewal, userApproval, transparency
    case authentication, session, appLock, device
}
