internal import Foundation
internal import PaviseArguments
internal import PavisePrimitives
internal import SecurityFramework

extension SecurityCommand {
    static let dumpKeychain = SecurityCommand(
        "dump-keychain", "Show all items.",
        options: [
            SecurityOption("d", "", .showsPassword, "Show the passwords too."),
            SecurityOption("a", "", .ignored, "Accepted; there are no access lists here."),
            SecurityOption("i", "", .ignored, "Accepted; there are no access lists here."),
            SecurityOption("r", "", .ignored, "Accepted; the items are never printed in another form."),
        ],
        examples: [.init("security dump-keychain", "Show the attributes of all items.")]
    ) { words, environment in
        for code in ["genp", "inet", "cert", "keys"] {
            for item in try SecurityItems.all(code: code) {
                try show(item, code: code, environment)
                guard words.flags.contains(.showsPassword), code == "genp" || code == "inet" else { continue }
                var value = try SecurityItems.value(of: item)
                defer { Wipe.bytes(&value) }
                try environment.console.output.write(Array("data:\n\(shown(value))\n".utf8))
            }
        }
    }

    static let listKeychains = keychainList("list-keychains", "Show the keychains that are searched: the one.")
    static let defaultKeychain = keychainList("default-keychain", "Show the keychain that new items go to: the one.")

    private static func keychainList(_ name: String, _ abstract: String) -> SecurityCommand {
        SecurityCommand(
            name, abstract,
            options: [
                SecurityOption("d", "DOMAIN", .ignored, "Accepted; the keychain belongs to the user."),
                SecurityOption("s", "", .updates, "Refused: the list cannot be changed."),
            ]
        ) { words, environment in
            guard !words.flags.contains(.updates) else {
                throw SecurityFailure.refused("\(name): there is one keychain, and it is always used")
            }
            try environment.console.show(text: "    \"\(Printable.text(environment.home.keychain))\"\n")
        }
    }

    static let showKeychainInfo = SecurityCommand(
        "show-keychain-info", "Say when the keychain locks itself.",
        discussion: "“pavise device status” says more."
    ) { _, environment in
        let line = "Keychain \"\(Printable.text(environment.home.keychain))\" no-timeout\n"
        try environment.console.messages.write(Array(line.utf8))
    }

    static let unlockKeychain = SecurityCommand(
        "unlock-keychain", "Succeed when the keychain is open, refuse when it is not.",
        options: [
            SecurityOption("p", "PASSWORD", .password, "Accepted without effect: the passcode is never an argument."),
            SecurityOption("u", "", .ignored, "Accepted without effect."),
        ],
        discussion: "The keychain opens with the device: “pavise device unlock” asks for the passcode."
    ) { _, _ in
        // A locked item ends a search with -25308, so a search over everything tells.
        for code in ["genp", "inet"] { _ = try SecurityItems.all(code: code) }
    }

    static let lockKeychain = SecurityCommand(
        "lock-keychain", "Refused: the keychain locks with the device.",
        options: [SecurityOption("a", "", .ignored, "Accepted; there is one keychain.")],
        discussion: "“pavise device lock” locks it where a passcode is set."
    ) { _, _ in
        throw SecurityFailure.refused("lock-keychain: the keychain locks with the device; see pavise device lock")
    }

    static let error = SecurityCommand(
        "error", "Explain status codes.", operands: "CODE…",
        examples: [.init("security error 25300", "Say what -25300 means.")]
    ) { words, environment in
        guard !words.rest.isEmpty else { throw SecurityFailure.usage("a code is missing, for example 25300") }
        for word in words.rest {
            guard let number = Int32(word) else { throw SecurityFailure.usage("a code is a number, for example 25300") }
            let status = number > 0 ? -number : number
            let digits = ItemBlock.hexadecimal(bigEndian(status))
            try environment.console.show(text: "Error: 0x\(digits) \(status) \(KeychainWords.plain(status))\n")
        }
    }

    private static func bigEndian(_ status: OSStatus) -> [UInt8] {
        let bits = UInt32(bitPattern: status)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (24 - 8 * UInt32($0))) }
    }
}

extension KeychainWords {
    /// The message of `status` alone.
    static func plain(_ status: OSStatus) -> String {
        SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "Unknown"
    }
}
