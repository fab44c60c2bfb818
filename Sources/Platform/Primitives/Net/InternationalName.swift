internal import CPavisePlatform

/// Host names in letters of any language.
package enum InternationalName {
    /// The form of `name` that resolvers know, with A-labels (`xn--…`): UTS 46 without transitional processing, by
    /// libidn2.
    ///
    /// - Returns: `nil` for what is no host name, and where the library is not there.
    package static func ascii(_ name: String) -> String? {
        guard name.utf8.count <= 1024, !name.utf8.contains(0) else { return nil }
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe pavise_name_ascii(name, &bytes, bytes.count) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
