internal import PavisePrimitives

extension ATSLint {
    /// `NSPinnedDomains`.
    mutating func pins() {
        guard let member = root?.value.member(ATSKey.pins) else { return }
        let path = [ATSKey.root, ATSKey.pins]
        guard let domains = member.value.members else {
            add(.type, member, path, "\(ATSKey.pins) is a \(member.value.typeName): nothing is pinned.")
            return
        }
        duplicates(domains, path)
        let widened = Set(
            domains.filter { $0.value[ATSKey.subdomains]?.truth == true }.map { $0.name.lowercased() })
        let openBelow = namesOverPlainHTTP()
        for domain in domains {
            let place = path + [domain.name]
            guard let members = domain.value.members else {
                add(
                    .type, domain, place,
                    "The entry is a \(domain.value.typeName) and not a dictionary: the host is not pinned.")
                continue
            }
            duplicates(members, place)
            keys(members, known: ATSKey.pinned, place)
            self.domain(domain, widened: widened, openBelow: openBelow, place)
        }
        guard arbitraryLoadsIsEffective, domains.contains(where: { !hasEntry($0.name) })
        else {
            return
        }
        add(
            .pinArbitrary, member, path,
            """
            Hosts are pinned while \(ATSKey.arbitraryLoads) lets the app load everything over plain http, which has no \
            key to pin.
            """,
            alternative: "Delete \(ATSKey.arbitraryLoads), or write an empty entry for each pinned host.")
    }

    private mutating func domain(
        _ domain: PropertyListValue.Member, widened: Set<String>, openBelow: [String: String], _ path: [String]
    ) {
        boolean(ATSKey.subdomains, in: domain.value, path)
        let leaves = identities(ATSKey.leaves, of: domain, path)
        let authorities = identities(ATSKey.authorities, of: domain, path)
        backup(domain, leaves: leaves, authorities: authorities, path)
        if domain.value[ATSKey.subdomains]?.truth == true {
            add(
                .pinDepth, domain.value.member(ATSKey.subdomains), path + [ATSKey.subdomains],
                "The pins hold for “\(domain.name)” and names exactly one label below; deeper names are not pinned.",
                alternative: "Write an entry for each parent of deeper names.")
        }
        if domain.name.contains("/") || ATSAddress(domain.name) != nil {
            add(
                .pinAddress, domain, path,
                domain.name.contains("/")
                    ? "Pins are looked up by name: a range never matches."
                    : "Pins for an address are not documented.",
                alternative: "Pin a host name.")
        }
        if domain.name.hasSuffix(".") {
            add(
                .keyDot, domain, path,
                """
                “\(domain.name.prefix(100))” ends in a dot: Apple's systems may pin a host that is written with it \
                alone. Pavise pins the host without it.
                """,
                alternative: "Write it without the dot.")
        }
        plainHTTP(domain, openBelow, path)
        merge(domain, widened: widened, path)
        if list[ATSKey.pinningRequired]?.truth == true, leaves != nil, authorities != nil {
            add(
                .pinRequired, domain, path,
                "With \(ATSKey.pinningRequired), an entry that has both lists drops its pins when they are empty.",
                alternative: "Keep one kind of pins, or delete \(ATSKey.pinningRequired).")
        }
    }

    /// The valid pins of one kind; `nil` when the key is missing.
    private mutating func identities(
        _ kind: String, of domain: PropertyListValue.Member, _ path: [String]
    ) -> Set<[UInt8]>? {
        guard let member = domain.value.member(kind) else { return nil }
        let place = path + [kind]
        guard let elements = member.value.array else {
            add(
                .pinValue, member, place,
                """
                \(kind) is a \(member.value.typeName): the host counts as pinned without any pin, so every connection \
                fails.
                """
            )
            return []
        }
        if elements.isEmpty {
            add(
                .pinEmpty, member, place, "\(kind) is empty: every connection to the host fails.",
                alternative: "Write the pins, or delete the key.")
        }
        var pins: Set<[UInt8]> = []
        for (index, element) in elements.enumerated() {
            let entry = place + ["\(index)"]
            guard let bytes = element[ATSKey.digest]?.string.flatMap({ Base64.decode($0) }), bytes.count == 32 else {
                pinProblem(element, entry)
                continue
            }
            if !pins.insert(bytes).inserted {
                addValue(.pinDuplicate, element, entry, "The same pin stands in the list twice.", "Delete one.")
            }
        }
        return pins
    }

    private mutating func pinProblem(_ element: PropertyListValue, _ path: [String]) {
        let advice =
            "Write the base64 text of the SHA-256 of the SubjectPublicKeyInfo: 44 characters; “pavise pin” prints it."
        guard element.members != nil, let value = element[ATSKey.digest] else {
            addValue(
                .pinValue, element, path, "A pin is a dictionary with the key \(ATSKey.digest); this one is dropped.",
                advice)
            return
        }
        let what = value.string == nil ? "is a \(value.typeName)" : "is not the base64 text of 32 bytes"
        addValue(.pinValue, element, path + [ATSKey.digest], "The pin \(what): it never matches.", advice)
    }

    private mutating func addValue(
        _ rule: ATSLintRule, _ value: PropertyListValue, _ path: [String], _ text: String, _ advice: String
    ) {
        findings.append(ATSLintFinding(rule, line: value.line, path: path, text, alternative: advice))
    }

    private mutating func backup(
        _ domain: PropertyListValue.Member, leaves: Set<[UInt8]>?, authorities: Set<[UInt8]>?, _ path: [String]
    ) {
        let count = (leaves?.count ?? 0) + (authorities?.count ?? 0)
        guard count == 1 || leaves?.count == 1 else { return }
        add(
            .pinNoBackup, domain, path,
            """
            There is no backup pin: when the key is lost or stolen, the app cannot connect until people have updated it.
            """,
            alternative: "Pin a second key that is kept offline, or the authority's as well.")
    }

    private func hasEntry(_ name: String) -> Bool {
        name.utf8.count <= Self.longestName && configuration.table.match(name: Self.host(of: name)) != nil
    }

    // The host that a pinned name is for: pins are looked up without regard to case, entries are not.
    private static func host(of name: String) -> String {
        let host = name.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Entries that allow plain http, each by the name one label above it.
    private func namesOverPlainHTTP() -> [String: String] {
        var found: [String: String] = [:]
        for (key, exception) in configuration.exceptions.sorted(by: { $0.key < $1.key })
        where exception.allowsInsecureHTTPLoads && !key.contains("/") && ATSAddress(key) == nil {
            guard key.utf8.count <= Self.longestName, let dot = key.firstIndex(of: ".") else { continue }
            let parent = String(key[key.index(after: dot)...])
            found[parent] = found[parent] ?? key
        }
        return found
    }

    private mutating func plainHTTP(
        _ domain: PropertyListValue.Member, _ openBelow: [String: String], _ path: [String]
    ) {
        guard domain.name.utf8.count <= Self.longestName else { return }
        let host = Self.host(of: domain.name)
        let isAddress = ATSAddress(host) != nil
        let target = ATSTarget(host: host, isAddress: isAddress, isDirect: false)
        let decision = ATSDecision(target, scheme: .http, configuration: configuration)
        guard decision.isAllowed, let key = decision.exception else {
            guard domain.value[ATSKey.subdomains]?.truth == true, let below = openBelow[host] else { return }
            add(
                .pinHTTP, domain, path,
                """
                The entry “\(below)” of \(ATSKey.exceptions) allows plain http to a host that these pins cover, and \
                there is no key to pin then.
                """,
                alternative: "Delete \(ATSKey.insecure) there.")
            return
        }
        add(
            .pinHTTP, domain, path,
            """
            The entry “\(key)” of \(ATSKey.exceptions) allows plain http to this host, and there is no key to pin then.
            """,
            alternative: "Delete \(ATSKey.insecure) there.")
    }

    private mutating func merge(_ domain: PropertyListValue.Member, widened: Set<String>, _ path: [String]) {
        guard let dot = domain.name.firstIndex(of: ".") else { return }
        let parent = domain.name[domain.name.index(after: dot)...].lowercased()
        guard widened.contains(parent) else { return }
        add(
            .pinMerge, domain, path,
            """
            The entry “\(parent)” fits this host as well: the lists of both are joined, so its pins are accepted here \
            too.
            """
        )
    }
}
