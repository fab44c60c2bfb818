/// Values of names and dotted paths at one place of the pass.
///
/// What a branch or a function changes is taken back by a journal of the changes: a copy of all names at each branch was
/// a large part of the pass's time.
struct Scope {
    private var values: [String: Value] = [:]
    private var journal: [(name: String, old: Value?)] = []
    /// First parts of the dotted paths that were ever set.
    private var roots: Set<String> = []

    subscript(name: String) -> Value? {
        get { values[name] }
        set {
            let old: Value?
            if let newValue {
                old = values.updateValue(newValue, forKey: name)
            } else {
                old = values.removeValue(forKey: name)
            }
            journal.append((name, old))
            guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return }
            roots.insert(String(name[..<dot]))
        }
    }

    /// Whether a path that begins with `name` may be known.
    func hasPaths(of name: String) -> Bool { !roots.isEmpty && roots.contains(name) }

    /// The known paths below `name`, in no order.
    func paths(of name: String) -> [(key: String, value: Value)] {
        guard hasPaths(of: String(name.prefix { $0 != "." })) else { return [] }
        let start = name + "."
        return values.filter { $0.key.hasPrefix(start) }.map { ($0.key, $0.value) }
    }

    /// A place to come back to.
    func mark() -> Int { journal.count }

    /// What was changed since `mark`: the first value of each name, and its last one.
    func changes(since mark: Int) -> [String: (old: Value?, new: Value?)] {
        var result: [String: (old: Value?, new: Value?)] = [:]
        for entry in journal[mark...] where result[entry.name] == nil {
            result[entry.name] = (entry.old, values[entry.name])
        }
        return result
    }

    /// Takes back what was changed since `mark`.
    mutating func rollback(to mark: Int) {
        while journal.count > mark {
            let entry = journal.removeLast()
            if let old = entry.old { values[entry.name] = old } else { values[entry.name] = nil }
        }
    }
}
