internal import Foundation

extension ItemQuery {
    mutating func read(_ matches: QueryParts.Matches, _ call: Call) throws(StatusFailure) {
        guard call == .copy else {
            guard matches.entries.list.isEmpty || Self.saysAllAsOnMacOS(matches, call) else {
                throw StatusFailure(errSecParam)
            }
            return
        }
        for (key, value) in matches.entries.list {
            switch key {
            case "m_Limit": limit = try Self.limit(value)
            case "m_HostOrSubdomainOfHost": host = try hostName(value)
            case "m_Policy", "m_Issuers", "m_TrustedOnly", "m_EmailAddressIfPresent", "m_ValidOnDate":
                try readCertificateMatch(key, value)
            // Recorded and not evaluated, as on iOS; unknown ones are accepted too.
            default: break
            }
        }
    }

    // All items is what both calls mean anyway. A smaller limit, or a condition, would hit more items than asked for.
    private static func saysAllAsOnMacOS(_ matches: QueryParts.Matches, _ call: Call) -> Bool {
        guard call != .add, matches.entries.list.count == 1, matches.entries["m_Limit"] as? String == "m_LimitAll"
        else {
            return false
        }
        return SecurityEnvironment.current.rules == .lenient
    }

    private static func limit(_ value: Any) throws(StatusFailure) -> Int {
        switch value {
        case let text as String where text == "m_LimitOne": return 1
        case let text as String where text == "m_LimitAll": return .max
        case let number as NSNumber where !Boolean.isBoolean(value) && number.intValue > 0: return number.intValue
        default: throw StatusFailure(errSecParam)
        }
    }

    private func hostName(_ value: Any) throws(StatusFailure) -> String {
        guard itemClass == .internetPassword else { throw StatusFailure(errSecUnimplemented) }
        guard let host = value as? String, !host.isEmpty else { throw StatusFailure(errSecParam) }
        return host.lowercased()
    }

    // Passwords and keys know nothing of issuers and policies; the other conditions do not apply to them.
    private mutating func readCertificateMatch(_ key: String, _ value: Any) throws(StatusFailure) {
        let hasCertificate = itemClass == .certificate || itemClass == .identity
        guard hasCertificate || (key != "m_Policy" && key != "m_Issuers") else {
            throw StatusFailure(errSecUnimplemented)
        }
        var filter = certificateFilter ?? CertificateFilter()
        try filter.read(key, value)
        if hasCertificate { certificateFilter = filter }
    }

    /// Whether a stored server name satisfies the host condition.
    func matchesHost(_ server: ItemValue?) -> Bool {
        guard let host else { return true }
        guard let server, let name = String(validating: server.comparedBytes, as: UTF8.self)?.lowercased() else {
            return false
        }
        return name == host || name.hasSuffix("." + host)
    }
}
