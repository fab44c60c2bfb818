internal import Foundation
internal import PaviseArguments
internal import PaviseDevice
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
        discussion: """
            It never does for the items of this tool: they can be read from the first unlock on, until the machine \
            starts anew, “pavise device lock --all”, or 30 days without use. “pavise device status” tells the state \
            of the device.
            """
    ) { _, environment in
        let line = "Keychain \"\(Printable.text(environment.home.keychain))\" no-timeout\n"
        try environment.console.messages.write(Array(line.utf8))
    }

    static let unlockKeychain = SecurityCommand(
        "unlock-keychain", "Unlock the keychain with the device's passcode.",
        options: [
            SecurityOption("p", "PASSWORD", .password, "Accepted without effect: the passcode is never an argument."),
            SecurityOption("u", "", .ignored, "Accepted without effect."),
        ],
        discussion: """
            Without a passcode the keychain is always open. Else this asks for it like “pavise device unlock”; with -p \
            it does not ask, and ends with 36 when the keychain is locked: the password may be another keychain's, and \
            a wrong passcode counts.
            """
    ) { words, environment in
        guard let device = try openDevice(environment), try device.lockState() != .unlocked else { return }
        guard words.password == nil else {
            throw SecurityFailure.keychain(errSecInteractionNotAllowed, during: "SecKeychainUnlock")
        }
        var isShared = true
        try environment.withAskedPasscode("The passcode unlocks the keychain.") { passcode throws(DeviceFailure) in
            isShared = try device.unlock(passcode.bytes, for: UnlockPeriod())
        }
        guard isShared else {
            throw SecurityFailure.refused(
                "unlock-keychain: the kernel keeps no keys here, so it stays locked for others")
        }
    }

    static let lockKeychain = SecurityCommand(
        "lock-keychain", "Lock the device, as “pavise device lock” does.",
        options: [SecurityOption("a", "", .ignored, "Accepted; there is one keychain.")],
        discussion: """
            Otherwise than on macOS, the items of this tool stay readable, because they are so from the first unlock \
            on; “pavise device lock --all” closes them too. Without a passcode it is refused: nothing could be locked.
            """
    ) { _, environment in
        guard let device = try openDevice(environment) else {
            throw SecurityFailure.refused(
                "lock-keychain: without a passcode nothing can be locked; “pavise device passcode” sets one")
        }
        try device.lock()
    }

    // A device with a passcode; without one nothing is ever locked.
    private static func openDevice(_ environment: Environment) throws -> Device? {
        guard DurableFile.exists(environment.home.device) else { return nil }
        let device = try Device.open(environment.home, environment.device)
        return try device.hasPasscode() ? device : nil
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
            try environment.console.show(text: "Error: 0x\(digits) \(status) \(KeychainDescription.plain(status))\n")
        }
    }

    private static func bigEndian(_ status: OSStatus) -> [UInt8] {
        let bits = UInt32(bitPattern: status)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (24 - 8 * UInt32($0))) }
    }
}

extension KeychainDescription {
    /// The message of `status` alone.
    static func plain(_ status: OSStatus) -> String {
        SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "Unknown"
    }
}
