internal import PaviseCrypto

/// The rules of policies for more than TLS.
extension ChainRules {
    private static let spring2022: Int64 = 1_648_771_200

    /// Public authorities put address and purpose of mail into the extensions since April 2022.
    var isPublicMail: Bool { anchor?.origin == .system && leaf.notBefore >= Self.spring2022 }

    /// Whether the leaf's key may be used for what the policy is about.
    func usage() -> [TrustFinding] {
        guard !policy.usages.isEmpty else { return [] }
        let isAllowed = leaf.extensions.keyUsage.map { bits in
            policy.usages.contains { bits.indices.contains($0) && bits[$0] }
        }
        return isAllowed ?? policy.mayLackUsage ? [] : [TrustFinding(.wrongPurpose(.keyUsage), certificate: 0)]
    }

    /// The address or the servers' names that the leaf lacks.
    var foreignName: String? {
        if let address = policy.address, !holds(address) { return address }
        guard let servers = policy.servers, !servers.contains(where: names) else { return nil }
        return servers.joined(separator: ", ")
    }

    // The other way round than for TLS: the names that are expected may have a wildcard, those of the leaf none.
    private func names(_ server: String) -> Bool {
        (leaf.extensions.alternativeNames ?? []).contains { name in
            guard case .dns(let host) = name, !host.contains("*") else { return false }
            return ReferenceHostName.matches(reference: host, presented: server)
        }
    }

    private func holds(_ address: String) -> Bool {
        let inExtension = (leaf.extensions.alternativeNames ?? []).compactMap { name -> String? in
            guard case .mail(let address) = name else { return nil }
            return address
        }
        let inSubject = isPublicMail ? [] : leaf.subject.values(of: "1.2.840.113549.1.9.1")
        return (inExtension + inSubject).contains { $0.lowercased() == address.lowercased() }
    }
}
