/// Reads single texts of an archive that NSKeyedArchiver wrote: a property list with all objects in one list, which
/// name each other by their places.
///
/// Nothing is made of what lies in it: no class is looked up, and each step of a path is one look, so that an archive
/// that names itself leads nowhere.
package struct KeyedArchive: Sendable {
    private let objects: [PropertyListValue]
    private let root: PropertyListValue

    /// Reads an archive of at most 1 MiB.
    ///
    /// - Throws: ``PropertyListFailure`` for what is no property list, or none of an archiver.
    package init(_ bytes: [UInt8]) throws(PropertyListFailure) {
        var limits = PropertyListLimits()
        limits.bytes = 1 << 20
        limits.text = 4 << 20
        limits.depth = 16
        limits.values = 20_000
        let list = try PropertyListValue.parse(bytes, limits: limits)
        guard list["$archiver"]?.string == "NSKeyedArchiver", let objects = list["$objects"]?.array,
            let root = list["$top"]?["root"]
        else { throw .unknownFormat }
        self.objects = objects
        self.root = root
    }

    /// The text at the end of a path of members from the root object; `nil` where there is none, or no text.
    package func text(_ path: String...) -> String? {
        var value = resolved(root)
        for name in path { value = value?[name].flatMap(resolved) }
        guard let text = value?.string, text != "$null" else { return nil }
        return text
    }

    // In an XML archive a reference is a dictionary with one number.
    private func resolved(_ value: PropertyListValue) -> PropertyListValue? {
        switch value.kind {
        case .reference(let place): return objects.indices.contains(place) ? objects[place] : nil
        case .dictionary(let members) where members.count == 1 && members.first?.name == "CF$UID":
            guard case .integer(let number)? = members.first?.value.kind, let place = Int(exactly: number) else {
                return nil
            }
            return objects.indices.contains(place) ? objects[place] : nil
        default: return value
        }
    }
}
