internal import Foundation

extension ItemQuery {
    mutating func read(_ matches: QueryParts.Matches, _ call: Call) throws(StatusFailure) {
        guard matches.entries.isEmpty || call == .copy else { throw StatusFailure(errSecParam) }
        for (key, value) in matches.entries {
            switch key {
            case "m_Limit": limit = try Self.limit(value)
            case "m_HostOrSubdomainOfHost": host = try hostName(value)
            case "m_Policy", "m_Issuers", "m_TrustedOnly", "m_EmailAddressIfPresent": try refuseCertificateMatch(key)
            case "m_ValidOnDate":
                guard value is Date || value is NSNull else { throw StatusFailure(errSecParam) }
                try refuseCertificateMatch(key)
            // Recorded and not evaluated, as on iOS; unknown ones are accepted too.
            default: break
            }
        }
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

    // Certificates cannot be filtered by trust yet. A filter that is not evaluated would give too much: stop instead.
    private func refuseCertificateMatch(_ key: String) throws(StatusFailure) {
        let isCertificate = itemClass == .certificate || itemClass == .identity
        let isEvaluated = key == "m_Policy" || key == "m_Issuers"
        if isCertificate || isEvaluated { throw StatusFailure(errSecUnimplemented) }
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
