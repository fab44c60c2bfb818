/// What the extensions of a revocation list say (RFC 5280 §5.2).
package struct RevocationListExtensions: Hashable, Sendable {
    /// The number of the list.
    package enum Number: Hashable, Sendable {
        case missing, present
        /// Marked critical, which it must not be (RFC 5280 §5.2.3).
        case critical
    }

    /// The part of an authority's certificates that a list covers (RFC 5280 §5.2.5).
    package struct Scope: Hashable, Sendable {
        /// The full names of the distribution point; empty without one.
        package fileprivate(set) var names: [GeneralName] = []
        /// Whether the point is named in a way that is not evaluated here.
        package fileprivate(set) var hasRelativeName = false
        package fileprivate(set) var usersOnly = false
        package fileprivate(set) var authoritiesOnly = false
        package fileprivate(set) var attributesOnly = false
        /// Whether only some reasons are covered.
        package fileprivate(set) var someReasonsOnly = false
        /// Whether it lists certificates of other authorities too.
        package fileprivate(set) var isIndirect = false
    }

    /// Whether there is none.
    package private(set) var isEmpty = true
    package private(set) var number = Number.missing
    /// The key that signed the list.
    package private(set) var authorityKeyIdentifier: [UInt8]?
    /// Whether the extension that names the key is there, even without an identifier.
    package private(set) var namesAuthorityKey = false
    /// Whether it only tells what changed since another list.
    package private(set) var isDelta = false
    /// `nil` when it covers all that its issuer issued.
    package private(set) var scope: Scope?
    /// Critical extensions that this version does not know, dotted.
    package private(set) var unknownCritical: [String] = []

    static let limit = 100

    init(_ body: inout DERReader) throws(DERFailure) {
        guard var wrapper = try body.optional(DERTag.context(0, constructed: true)).map({ DERReader($0.content) })
        else { return }
        var list = try wrapper.inside()
        try wrapper.finish()
        isEmpty = false
        var seen: Set<String> = []
        while !list.isAtEnd {
            let item = try ExtensionField(&list)
            guard seen.insert(item.identifier).inserted, seen.count <= Self.limit else { throw DERFailure() }
            try read(item)
        }
    }

    private mutating func read(_ item: ExtensionField) throws(DERFailure) {
        var reader = DERReader(item.value)
        switch item.identifier {
        case "2.5.29.20":
            _ = try reader.next(DERTag.integer).integerBytes()
            number = item.isCritical ? .critical : .present
        case "2.5.29.27":
            _ = try reader.next(DERTag.integer).integerBytes()
            isDelta = true
        case "2.5.29.35":
            namesAuthorityKey = true
            authorityKeyIdentifier = try X509Extensions.authorityKey(&reader)
        case "2.5.29.28": scope = try Self.scope(&reader)
        // The issuer's other names and where deltas are: nothing to decide.
        case "2.5.29.18", "2.5.29.46": return
        default:
            if item.isCritical { unknownCritical.append(item.identifier) }
            return
        }
        try reader.finish()
    }

    private static func scope(_ reader: inout DERReader) throws(DERFailure) -> Scope {
        var fields = try reader.inside()
        var scope = Scope()
        if let point = try fields.optional(DERTag.context(0, constructed: true)) {
            (scope.names, scope.hasRelativeName) = try DistributionPoint.names(point)
        }
        scope.usersOnly = try flag(1, &fields)
        scope.authoritiesOnly = try flag(2, &fields)
        scope.someReasonsOnly = try fields.optional(DERTag.context(3, constructed: false)) != nil
        scope.isIndirect = try flag(4, &fields)
        scope.attributesOnly = try flag(5, &fields)
        try fields.finish()
        return scope
    }

    private static func flag(_ number: UInt8, _ fields: inout DERReader) throws(DERFailure) -> Bool {
        guard let element = try fields.optional(DERTag.context(number, constructed: false)) else { return false }
        guard element.content.count == 1, let byte = element.content.first, byte == 0 || byte == 0xFF else {
            throw DERFailure()
        }
        return byte == 0xFF
    }
}

/// The name of a distribution point (RFC 5280 §4.2.1.13).
enum DistributionPoint {
    /// The names in full, and whether there is a relative one instead.
    static func names(_ point: DERElement) throws(DERFailure) -> ([GeneralName], Bool) {
        var choice = DERReader(point.content)
        let element = try choice.next()
        try choice.finish()
        switch element.tag {
        case DERTag.context(0, constructed: true):
            var list = DERReader(element.content)
            var names: [GeneralName] = []
            while !list.isAtEnd {
                guard names.count < X509Extensions.nameLimit else { throw DERFailure() }
                names.append(try GeneralName(try list.next()))
            }
            return (names, false)
        case DERTag.context(1, constructed: true): return ([], true)
        default: throw DERFailure()
        }
    }

    /// The full names of all points of a certificate's extension.
    static func all(_ reader: inout DERReader) throws(DERFailure) -> [GeneralName] {
        var list = try reader.inside()
        guard !list.isAtEnd else { throw DERFailure() }
        var names: [GeneralName] = []
        while !list.isAtEnd {
            var fields = try list.inside()
            if let point = try fields.optional(DERTag.context(0, constructed: true)) {
                names += try Self.names(point).0
            }
            _ = try fields.optional(DERTag.context(1, constructed: false))
            _ = try fields.optional(DERTag.context(2, constructed: true))
            try fields.finish()
            guard names.count <= X509Extensions.nameLimit else { throw DERFailure() }
        }
        return names
    }
}
