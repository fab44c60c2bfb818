internal import PavisePrimitives

extension ATSLint {
    /// `NSExceptionDomains` and its entries.
    mutating func exceptions() {
        guard let member = root?.value.member(ATSKey.exceptions) else { return }
        let path = [ATSKey.root, ATSKey.exceptions]
        guard let entries = member.value.members else {
            add(
                .type, member, path,
                "\(ATSKey.exceptions) is a \(member.value.typeName): no entry is read; the keys above it count.")
            return
        }
        duplicates(entries, path)
        for entry in entries {
            let place = path + [entry.name]
            name(of: entry, place)
            guard entry.value.members != nil else {
                add(
                    .type, entry, place,
                    """
                    The entry is a \(entry.value.typeName) and not a dictionary: the host behaves as if it were not \
                    listed.
                    """
                )
                continue
            }
            self.entry(entry, place)
        }
        ties(entries, path)
    }

    private mutating func entry(_ entry: PropertyListValue.Member, _ path: [String]) {
        let value = entry.value
        let members = value.members ?? []
        duplicates(members, path)
        keys(members, known: ATSKey.entry, path)
        for name in [ATSKey.subdomains, ATSKey.insecure, ATSKey.forwardSecrecy] { boolean(name, in: value, path) }
        let exception = ATSException(propertyList: value)
        // What never matches opens nothing, and that it never matches is said already.
        guard !Self.isDead(entry.name) else { return relations(entry, exception, path) }
        minimumVersion(value, path)
        if exception.allowsInsecureHTTPLoads { insecure(entry, exception, path) }
        if !exception.requiresForwardSecrecy {
            add(
                .forwardSecrecyOff, value.member(ATSKey.forwardSecrecy), path + [ATSKey.forwardSecrecy],
                """
                Suites without forward secrecy are allowed: whoever gets the server's key later can read recorded \
                traffic.
                """,
                alternative: "Give the server ECDHE suites and delete the key.")
        }
        relations(entry, exception, path)
    }

    private mutating func minimumVersion(_ value: PropertyListValue, _ path: [String]) {
        guard let member = value.member(ATSKey.minimum) else { return }
        let place = path + [ATSKey.minimum]
        guard let text = member.value.string else {
            add(
                .type, member, place, "\(ATSKey.minimum) is a \(member.value.typeName): it counts as TLSv1.2.",
                alternative: "Delete the key; TLS 1.2 is the floor anyway.", needsJustification: true)
            return
        }
        switch ATSVersion(rawValue: text) {
        case .tls10?, .tls11?:
            add(
                .minimumLow, member, place, "\(text) is allowed: it uses MD5 and SHA-1 and has known attacks.",
                alternative: text == "TLSv1.0"
                    ? "Try TLSv1.1; better, give the server TLS 1.2 and delete the key."
                    : "Give the server TLS 1.2 and delete the key.", needsJustification: true)
        case .tls12?:
            add(
                .minimumRedundant, member, place,
                "TLS 1.2 is the floor without the key. It has no effect, and App Review still wants a reason for it.",
                alternative: "Delete the key.", needsJustification: true)
        case .tls13?:
            add(
                .minimumRaised, member, place,
                "TLS 1.3 is required: stricter than ATS. App Review wants a reason all the same.",
                needsJustification: true)
        case .dtls10?, .dtls12?:
            add(
                .minimumUnknown, member, place, "“\(text)” is a datagram version, which no URL load uses.",
                alternative: "Write TLSv1.2 or TLSv1.3, or delete the key.", needsJustification: true)
        case nil:
            add(
                .minimumUnknown, member, place,
                """
                “\(text.prefix(32))” is no version (the texts are TLSv1.0 to TLSv1.3, in this very spelling): TLS 1.2 \
                stays.
                """,
                alternative: "Write TLSv1.2 or TLSv1.3, or delete the key.", needsJustification: true)
        }
    }

    private mutating func insecure(_ entry: PropertyListValue.Member, _ exception: ATSException, _ path: [String]) {
        let member = entry.value.member(ATSKey.insecure)
        let place = path + [ATSKey.insecure]
        if isWide(entry.name, exception) {
            add(
                .insecureWide, member, place,
                "“\(entry.name)” covers hosts of strangers: plain http is allowed to all of them.",
                alternative: "Name the hosts one by one.", needsJustification: true)
            return
        }
        let https = exception.requiresForwardSecrecy ? " https to it still needs TLS 1.2 and the ATS suites." : ""
        let isLocal = Origin(scheme: .http, host: entry.name, port: 80).isDirectByName
        add(
            .insecure, member, place,
            """
            Plain http is allowed to this host, and over https the app may accept certificates that the system \
            refuses.\(https)
            """,
            alternative: isLocal
                ? "Use \(ATSKey.local), which does the same for local targets and needs no justification."
                : """
                Load over https; if only the version or the suites are the problem, “pavise ats diagnose” finds a \
                narrower key.
                """,
            needsJustification: true)
    }

    private func isWide(_ key: String, _ exception: ATSException) -> Bool {
        if let range = ATSAddressRange(key) { return range.prefix < (range.network.isVersion6 ? 32 : 8) }
        return exception.includesSubdomains && SharedSuffix.contains(key)
    }

    // What the entry is worth beside the others.
    private mutating func relations(_ entry: PropertyListValue.Member, _ exception: ATSException, _ path: [String]) {
        if Set((entry.value.members ?? []).map(\.name)).subtracting([ATSKey.subdomains]).isEmpty {
            let isolatesHost = arbitraryLoadsIsEffective || ancestor(of: entry.name) != nil
            add(
                .entryEmpty, entry, path,
                isolatesHost
                    ? "An entry without keys: ATS is fully on for this host, although it is not for others."
                    : "An entry without keys: ATS is on for this host, as it is without the entry.")
        } else if let above = ancestor(of: entry.name), isSame(above.exception, exception) {
            // By the documentation an entry covers one label below it: there this one is needed.
            let isDeep = above.labels > 1
            add(
                .entryCovered, entry, path,
                "The entry of “\(above.key)” includes subdomains and says the same"
                    + (isDeep ? "; Apple's code lets it cover this name, its documentation does not." : "."),
                alternative: isDeep ? "Keep this entry until Apple's documentation says so too." : "Delete this entry.")
        }
        if ATSConfiguration.builtInExceptions[entry.name] != nil {
            add(
                .builtIn, entry, path,
                "Apple's systems have an entry of their own for “\(entry.name)”; this one replaces it.")
        }
    }

    /// The nearest entry above `name` that includes subdomains, and how many labels lie between.
    func ancestor(of name: String) -> (key: String, exception: ATSException, labels: Int)? {
        guard name.utf8.count <= Self.longestName, !name.contains("/"), ATSAddress(name) == nil else { return nil }
        var rest = name[...]
        var labels = 0
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            labels += 1
            let key = String(rest)
            if let exception = configuration.exceptions[key], exception.includesSubdomains {
                return (key, exception, labels)
            }
        }
        return nil
    }

    private func isSame(_ one: ATSException, _ other: ATSException) -> Bool {
        var copy = one
        copy.includesSubdomains = other.includesSubdomains
        return copy == other
    }

    private mutating func ties(_ entries: [PropertyListValue.Member], _ path: [String]) {
        var seen: [ATSAddressRange: String] = [:]
        for entry in entries where entry.value.members != nil {
            guard let range = ATSAddressRange(entry.name) else { continue }
            if let first = seen[range], first != entry.name {
                add(
                    .rangeTie, entry, path + [entry.name],
                    "“\(first)” and “\(entry.name)” are the same range: which entry counts is not defined.",
                    alternative: "Keep one of them.")
            }
            seen[range] = seen[range] ?? entry.name
        }
    }
}
