internal import PavisePrimitives
internal import PaviseTransport

/// Reads the members of a managed configuration and notes what cannot be used, all of it and not only the first.
struct ManagedReader {
    private(set) var problems: [ManagedProblem] = []
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
        trust.anchors = word(value, .anchors, Self.words(ManagedTrust.Anchors.self)) ?? .any
        trust.transparentHosts = Set(list(value, .transparency, "a host name") { $0.string.flatMap(Self.host) } ?? [])
        trust.transparencyLogs = value[ManagedKey.transparencyLogs.rawValue].flatMap { logs($0) }
        return trust
    }

    private mutating func logs(_ value: JSONValue) -> TransparencyPolicy? {
        #if os(Linux)
        do throws(TransparencyPolicy.ReadingFailure) {
            return try TransparencyPolicy(logList: value)
        } catch {
            let words = "the content of a log_list.json of version 3. \(error.description.dropLast())"
            refuse(ManagedKey.transparencyLogs.rawValue, words)
        }
        #endif
        // The system knows its own.
        return nil
    }

    // By the object they stand in: where one of these is missing, everything is allowed.
    private static let allowLists = ["": ["allowedServers"], "authentication": ["allowed", "passwordServers"]]

    // The list of what is allowed that an unknown key may have been meant for, or the section of such lists: by its
    // letters, by a word in its name, or by what stands in it. It is better to refuse one key too many than to allow
    // everything.
    private static func list(
        meantBy member: JSONValue.Member, _ nearest: String?, in path: String
    ) -> String? {
        let lists = allowLists[path] ?? []
        if let nearest, lists.contains(nearest) { return nearest }
        let name = member.name.lowercased()
        let speaksOfIt = ["allow", "permit", "whitelist"].contains { name.contains($0) }
        let isPartOfIt = name.utf8.count >= 6 && lists.contains { $0.lowercased().contains(name) }
        if speaksOfIt || isPartOfIt { return lists.first }
        guard path.isEmpty, let inner = member.value.members, let names = allowLists["authentication"] else {
            return nil
        }
        return inner.contains { Self.nearest(to: $0.name, among: names) != nil } ? "authentication" : nil
    }

    /// Notes keys that are not known. One that may have been meant for a list of what is allowed is a problem.
    mutating func check(_ value: JSONValue, _ path: String, _ known: [String]) {
        let place = { (name: String) in path.isEmpty ? name : "\(path).\(name)" }
        for member in value.members ?? [] where !known.contains(member.name) {
            let nearest = Self.nearest(to: member.name, among: known)
            if let meant = Self.list(meantBy: member, nearest, in: path), value[meant] == nil {
                refuse(unknown: place(member.name), meaning: meant)
            } else {
                unknownKeys.append(.init(path: place(member.name), nearest: nearest))
            }
        }
    }

    private mutating func refuse(unknown path: String, meaning name: String) {
        problems.append(ManagedProblem(.misspelt, path, name))
    }

    // The nearest by letters, or else the only one that begins so: `idle` for `idleSeconds`.
    private static func nearest(to name: String, among known: [String]) -> String? {
        if let nearest = ATSKey.nearest(to: name, among: known) { return nearest }
        let longer = known.filter { name.utf8.count >= 3 && $0.lowercased().hasPrefix(name.lowercased()) }
        return longer.count == 1 ? longer[0] : nil
    }

    /// Notes a value that cannot be used.
    mutating func refuse(_ path: String, _ expected: String) {
        problems.append(ManagedProblem(.unusableValue, path, expected))
    }

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

    /// A host name in lower case, or an address, in the spelling that the rules compare; `nil` for anything else.
    static func host(_ text: String) -> String? {
        let host = CanonicalHost.of(text)
        return text.contains(":") || host == text ? host : nil
    }
}

/// The keys at the top.
enum ManagedKey: String, CaseIterable {
    case allowedServers, preApproved, requiredPins, denied, plainHTTP, renewal, userApproval, transparency
    case transparencyLogs, anchors
    case authentication, session, appLock, device
}
