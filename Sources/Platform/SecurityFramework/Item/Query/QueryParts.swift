/// The entries of a query dictionary, sorted by what their keys are.
struct QueryParts {
    typealias Values = [String: Any]
    // Types of their own, so that the readers of the groups cannot be mixed up.
    struct Returns { var entries: [String: Any] = [:] }
    struct Matches { var entries: [String: Any] = [:] }
    struct Uses { var entries: [String: Any] = [:] }

    var itemClass: Any?
    var attributes: [(AttributeCode, Any)] = []
    var values: Values = [:]
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
        case UInt8(ascii: "m"): matches.entries[key] = value
        case UInt8(ascii: "r"): returns.entries[key] = value
        case UInt8(ascii: "u"): uses.entries[key] = value
        case UInt8(ascii: "f"): break
        // Unknown names land among the values, which refuse them.
        default: values[key] = value
        }
    }
}
