internal import PavisePrimitives
internal import PaviseTransport

extension ManagedReader {
    /// An element of `preApproved`.
    mutating func approval(_ value: JSONValue, _ path: String) -> ManagedTrust.Approval? {
        check(value, path, ["host", "port", "key", "certificate", "failures", "expires"])
        let host = value["host"]?.string.flatMap(Self.host)
        if host == nil { refuse("\(path).host", "a host name in lower case") }
        let port = value["port"].map { $0.integer.flatMap(UInt16.init(exactly:)) ?? 0 } ?? 443
        if port == 0 { refuse("\(path).port", "1 to 65535") }
        let key = optional(value, "key", path, "SHA-256 of a key as base64") { $0.string.flatMap(Pin.init) }
        let certificate = optional(value, "certificate", path, "SHA-256 of a certificate, hexadecimal") {
            $0.string.flatMap(CertificateDigest.init)
        }
        if value["key"] == nil && value["certificate"] == nil { refuse(path, "a key or a certificate") }
        let failures = list(value, "failures", "\(path).failures", "a failure that can be approved") {
            $0.string.flatMap(TrustFailure.init).flatMap { $0.isHard ? nil : $0 }
        }
        if failures == nil { refuse("\(path).failures", "a list") }
        let expires = value["expires"]?.integer
        if expires == nil { refuse("\(path).expires", "seconds since 1970") }
        guard let host, port > 0, let failures, let expires, key != nil || certificate != nil else { return nil }
        return ManagedTrust.Approval(
            host: host, port: port, key: key, certificate: certificate, failures: Set(failures), expires: expires)
    }

    /// An element of `requiredPins`. It is always enforced: management does not ask for reports.
    mutating func pins(_ value: JSONValue, _ path: String) -> PinSet? {
        check(
            value, path,
            [
                "hosts", "subdomains", "leaf", "authority", "leafCertificates", "authorityCertificates", "expires",
                "afterExpiry", "backup",
            ])
        let hosts = list(value, "hosts", "\(path).hosts", "a host name in lower case") { $0.string.flatMap(Self.host) }
        let subdomains: PinSet.Subdomains? = choice(
            value, "subdomains", path, ["none": .none, "oneLabel": .oneLabel, "all": .all], PinSet.Subdomains.none)
        let after: PinSet.AfterExpiry? = choice(
            value, "afterExpiry", path, ["refuse": .refuse, "ignorePins": .ignorePins], .refuse)
        let backup: PinSet.Backup? = choice(
            value, "backup", path, ["required": .required, "notRequired": .notRequired], .required)
        let expires = optional(value, "expires", path, "seconds since 1970", \.integer)
        let (leaf, authority) = (keys(value, "leaf", path), keys(value, "authority", path))
        let (own, above) = (
            certificates(value, "leafCertificates", path), certificates(value, "authorityCertificates", path)
        )
        guard let subdomains, let after, let backup else { return nil }
        do throws(PinSet.Problem) {
            return try PinSet(
                hosts: Set(hosts ?? []), subdomains: subdomains, leaf: leaf, authority: authority,
                leafCertificates: own, authorityCertificates: above, expires: expires, afterExpiry: after,
                backup: backup)
        } catch {
            refuse(path, Self.words(error))
            return nil
        }
    }

    /// The value of `denied`.
    mutating func denied(_ value: JSONValue, _ path: String) -> ManagedTrust.Denied {
        guard value.members != nil else {
            refuse(path, "an object")
            return ManagedTrust.Denied()
        }
        check(value, path, ["keys", "certificates", "issuers"])
        let issuers = list(value, "issuers", "\(path).issuers", "the names of an issuer in one line") { $0.string }
        return ManagedTrust.Denied(
            keys: keys(value, "keys", path), certificates: certificates(value, "certificates", path),
            issuers: Set(issuers ?? []))
    }

    private mutating func keys(_ value: JSONValue, _ name: String, _ path: String) -> Set<Pin> {
        Set(list(value, name, "\(path).\(name)", "SHA-256 of a key as base64") { $0.string.flatMap(Pin.init) } ?? [])
    }

    private mutating func certificates(
        _ value: JSONValue, _ name: String, _ path: String
    ) -> Set<CertificateDigest> {
        let found = list(value, name, "\(path).\(name)", "SHA-256 of a certificate, hexadecimal") {
            $0.string.flatMap(CertificateDigest.init)
        }
        return Set(found ?? [])
    }

    /// The value of `name` as `read` makes it; `nil` when the key is missing or its value was noted as unusable.
    mutating func optional<Value>(
        _ value: JSONValue, _ name: String, _ path: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) -> Value? {
        guard let found = value[name] else { return nil }
        let made = read(found)
        if made == nil { refuse("\(path).\(name)", expected) }
        return made
    }

    /// The meaning of the word at `name`; `usual` when the key is missing.
    mutating func choice<Value>(
        _ value: JSONValue, _ name: String, _ path: String, _ words: [String: Value], _ usual: Value?
    ) -> Value? {
        guard value[name] != nil else { return usual }
        return optional(value, name, path, "one of \(words.keys.sorted().joined(separator: ", "))") {
            $0.string.flatMap { words[$0] }
        }
    }

    private static func words(_ problem: PinSet.Problem) -> String {
        switch problem {
        case .noHost: "at least one host"
        case .hostIsNoName: "host names in lower case"
        case .noPin: "at least one pin"
        case .noBackup: "a second pin as a backup, or backup: notRequired"
        }
    }
}
