package import PavisePrimitives

/// The members of a verified token's payload (RFC 7519 §4).
public struct TokenClaims: Hashable, Sendable {
    /// The object itself.
    package let value: JSONValue

    /// Takes an object; `nil` for anything else.
    package init?(_ value: JSONValue) {
        guard value.members != nil else { return nil }
        self.value = value
    }

    /// The names, in their order.
    public var names: [String] { (value.members ?? []).map(\.name) }

    /// The text of a claim; `nil` when it is missing or no text.
    public func string(_ name: String) -> String? { value[name]?.string }

    /// The whole number of a claim, for example seconds since 1970; `nil` when it is missing or none that fits 64 bits.
    public func integer(_ name: String) -> Int64? { value[name]?.integer }

    /// A moment in seconds since 1970, down to the whole one: a NumericDate may have a fraction (RFC 7519 §2).
    package func moment(_ name: String) -> Int64? {
        if let whole = integer(name) { return whole }
        guard case .number(let text)? = value[name], let seconds = Double(text), abs(seconds) < 9e15 else { return nil }
        return Int64(seconds.rounded(.down))
    }

    /// The truth value of a claim; `nil` when it is missing or none.
    public func bool(_ name: String) -> Bool? { value[name]?.bool }

    /// The texts of a claim that is one text or a list of texts, as `aud` is; `nil` when it is missing or holds
    /// anything else.
    public func strings(_ name: String) -> [String]? {
        switch value[name] {
        case .some(.string(let one)): return [one]
        case .some(.array(let many)):
            let texts = many.compactMap(\.string)
            return texts.count == many.count ? texts : nil
        default: return nil
        }
    }
}
