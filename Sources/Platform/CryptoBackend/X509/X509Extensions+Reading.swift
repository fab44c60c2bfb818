extension X509Extensions {
    static func names(_ reader: inout DERReader) throws(DERFailure) -> [GeneralName] {
        var list = try reader.inside()
        var names: [GeneralName] = []
        while !list.isAtEnd {
            guard names.count < nameLimit else { throw DERFailure() }
            let name = try GeneralName(try list.next())
            if case .address(let bytes) = name, bytes.count != 4, bytes.count != 16 { throw DERFailure() }
            names.append(name)
        }
        guard !names.isEmpty else { throw DERFailure() }
        return names
    }

    // RFC 5280 §4.2.1.9. FALSE written out is not DER, but authorities have done so for decades.
    static func basicConstraints(_ reader: inout DERReader) throws(DERFailure) -> BasicConstraints {
        var fields = try reader.inside()
        let isAuthority = try fields.optional(DERTag.boolean)?.boolean() ?? false
        let pathLength = try fields.optional(DERTag.integer)?.smallInteger()
        try fields.finish()
        guard isAuthority || pathLength == nil else { throw DERFailure() }
        return BasicConstraints(isAuthority: isAuthority, pathLength: pathLength)
    }

    static func purposes(_ reader: inout DERReader) throws(DERFailure) -> [String] {
        var list = try reader.inside()
        var purposes: [String] = []
        while !list.isAtEnd {
            guard purposes.count < nameLimit else { throw DERFailure() }
            purposes.append(try list.next(DERTag.objectIdentifier).objectIdentifier())
        }
        guard !purposes.isEmpty else { throw DERFailure() }
        return purposes
    }

    // RFC 5280 §4.2.2.1: where to learn more, as pairs of a method and a place.
    static func access(_ reader: inout DERReader) throws(DERFailure) -> [Access] {
        var list = try reader.inside()
        guard !list.isAtEnd else { throw DERFailure() }
        var found: [Access] = []
        while !list.isAtEnd {
            guard found.count < accessLimit else { throw DERFailure() }
            var entry = try list.inside()
            let method = try entry.next(DERTag.objectIdentifier).objectIdentifier()
            found.append(Access(method: method, location: try GeneralName(try entry.next())))
            try entry.finish()
        }
        return found
    }

    static func authorityKey(_ reader: inout DERReader) throws(DERFailure) -> [UInt8]? {
        var fields = try reader.inside()
        let key = try fields.optional(DERTag.context(0, constructed: false)).map { Array($0.content) }
        while !fields.isAtEnd { _ = try fields.next() }
        return key
    }

    // RFC 5280 §4.2.1.10: minimum is 0 and maximum absent; anything else is not readable.
    static func nameConstraints(_ reader: inout DERReader) throws(DERFailure) -> NameConstraints {
        var fields = try reader.inside()
        let permitted = try fields.optional(DERTag.context(0, constructed: true))
        let excluded = try fields.optional(DERTag.context(1, constructed: true))
        try fields.finish()
        guard permitted != nil || excluded != nil else { throw DERFailure() }
        return NameConstraints(permitted: try subtrees(permitted), excluded: try subtrees(excluded))
    }

    private static func subtrees(_ element: DERElement?) throws(DERFailure) -> [GeneralName] {
        guard let element else { return [] }
        var list = DERReader(element.content)
        var subtrees: [GeneralName] = []
        while !list.isAtEnd {
            guard subtrees.count < nameLimit else { throw DERFailure() }
            var subtree = try list.inside()
            let base = try GeneralName(try subtree.next())
            try subtree.finish()
            if case .address(let bytes) = base, bytes.count != 8, bytes.count != 32 { throw DERFailure() }
            subtrees.append(base)
        }
        guard !subtrees.isEmpty else { throw DERFailure() }
        return subtrees
    }
}
