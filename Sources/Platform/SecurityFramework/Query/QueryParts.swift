/// The entries of a query dictionary, sorted by what their keys are.
struct QueryParts {
    /// A few entries, which are walked through; no two have the same key.
    struct Values {
        fileprivate(set) var list: [(key: String, value: Any)] = []

        subscript(key: String) -> Any? { list.first { $0.key == key }?.value }
    }

    // Types of their own, so that the readers of the groups cannot be mixed up.
    struct Returns { var entries = Values() }
    struct Matches { var entries = Values() }
    struct Uses { var entries = Values() }

    var itemClass: Any?
    var attributes: [(AttributeCode, Any)] = []
    var values = Values()
    var returns = Returns()
    var matches = Matches()
    var uses = Uses()

    mutating func sort(_ key: String, _ value: Any) {
        if let code = AttributeCode(key) {
            attributes.append((code, value))
            return
        }
        switch key.utf8.first {
        case UInt8(ascii: "c") where key == "class": itemClass = value
        case UInt8(ascii: "m"): matches.entries.list.append((key, value))
        case UInt8(ascii: "r"): returns.entries.list.append((key, value))
        case UInt8(ascii: "u"): uses.entries.list.append((key, value))
        case UInt8(ascii: "f"): break
        // Unknown names land among the values, which refuse them.
        default: values.list.append((key, value))
        }
    }
}
