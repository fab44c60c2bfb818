internal import PavisePrimitives

extension ATSLint {
    /// The keys that hold for every host without an entry.
    mutating func globals() {
        guard let value = root?.value else { return }
        let path = [ATSKey.root]
        for name in [ATSKey.arbitraryLoads, ATSKey.media, ATSKey.web, ATSKey.local] { boolean(name, in: value, path) }
        arbitraryLoads(value, path)
        if configuration.media == true {
            add(
                .media, value.member(ATSKey.media), path + [ATSKey.media],
                "From iOS 10, media of AVFoundation may be loaded without TLS from every host without an entry.",
                alternative: "Serve the media over https, or write an entry for the host that cannot.",
                needsJustification: true)
        }
        if configuration.webContent == true {
            add(
                .web, value.member(ATSKey.web), path + [ATSKey.web],
                "From iOS 10, web views may load without TLS from every host without an entry.",
                alternative: "Write an entry for each host that cannot serve https.", needsJustification: true)
        }
        if configuration.localNetworking == true {
            add(
                .local, value.member(ATSKey.local), path + [ATSKey.local],
                "Bare names, “.local” names and direct addresses are allowed. So they are without the key, which only "
                    + "silences \(ATSKey.arbitraryLoads) for public hosts. No justification is needed.")
        }
    }

    private var narrowKeys: [(name: String, value: Bool)] {
        [
            (ATSKey.media, configuration.media), (ATSKey.web, configuration.webContent),
            (ATSKey.local, configuration.localNetworking),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// Whether NSAllowsArbitraryLoads is true and counts on current systems.
    var arbitraryLoadsIsEffective: Bool { configuration.arbitraryLoads == true && narrowKeys.isEmpty }

    private mutating func arbitraryLoads(_ value: PropertyListValue, _ path: [String]) {
        guard configuration.arbitraryLoads == true else { return }
        let member = value.member(ATSKey.arbitraryLoads)
        let place = path + [ATSKey.arbitraryLoads]
        guard !narrowKeys.isEmpty else {
            add(
                .arbitrary, member, place,
                """
                ATS is off for every host without an entry: plain http, any TLS, and the app may accept any certificate.
                """,
                alternative:
                    """
                    Write an entry in \(ATSKey.exceptions) for each host that needs one; “pavise ats diagnose” finds it.
                    """,
                needsJustification: true)
            return
        }
        let names = narrowKeys.map(\.name).joined(separator: ", ")
        add(
            .shadowed, member, place,
            "\(names) silence\(narrowKeys.count == 1 ? "s" : "") this key from iOS 10 on: it counts on iOS 9 alone. "
                + "The pair is usual in apps that still run on iOS 9.",
            alternative: "Delete it unless the app runs on iOS 9 or macOS 10.11.", needsJustification: true)
        guard narrowKeys.allSatisfy({ !$0.value }) else { return }
        for (name, _) in narrowKeys {
            add(
                .presentFalse, value.member(name), path + [name],
                "\(name) is false and present: that alone switches \(ATSKey.arbitraryLoads) off, so ATS is on.",
                alternative: "Delete \(ATSKey.arbitraryLoads); if it was meant to count, delete this key.")
        }
    }

    /// One finding that lists everything App Review asks about.
    mutating func justification() {
        let keys = findings.filter(\.needsJustification)
        guard !keys.isEmpty else { return }
        let names = keys.map { $0.path.dropFirst().joined(separator: ":") }.joined(separator: ", ")
        add(
            .justify, root, [ATSKey.root],
            "App Review wants a reason for: \(names). Say why a secure connection is impossible by default. "
                + ATSJustification.words)
    }
}

/// The situations that Apple names as eligible for an exception.
package enum ATSJustification: String, CaseIterable, Hashable, Sendable {
    /// The server belongs to somebody else who offers no secure connection.
    case foreignServer = "J1"
    /// Devices that cannot be upgraded and are reached by public names.
    case oldDevices = "J2"
    /// Web content from many sources that the key for web content cannot cover.
    case webContent = "J3"
    /// Media that is already encrypted and holds nothing personal.
    case encryptedMedia = "J4"

    /// What it is about.
    package var text: String {
        switch self {
        case .foreignServer: "the server belongs to somebody else who offers no secure connection"
        case .oldDevices: "devices that cannot be upgraded and are reached by public names"
        case .webContent: "web content from many sources that the key for web content cannot cover"
        case .encryptedMedia: "media that is already encrypted and holds nothing personal"
        }
    }

    static var words: String {
        "Eligible are: " + allCases.map { "(\($0.rawValue)) \($0.text)" }.joined(separator: "; ") + "."
    }
}
