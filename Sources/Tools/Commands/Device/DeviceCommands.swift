internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives

/// `pavise device init|status|unlock|lock`. A passcode never comes from an argument: other users can see those.
enum DeviceCommands {
    static let fromInput = Flag("passcode-stdin", help: "Read the passcode from standard input.")
    private static let period = Option(
        "for", value: "MINUTES", help: "Lock again after so long without use (480)."
    ) { text throws(Parameter.Invalid) -> UInt32 in
        guard let minutes = UInt32(text), (1...43_200).contains(minutes) else {
            throw Parameter.Invalid("takes 1 to 43200 minutes")
        }
        return minutes
    }
    private static let isRestart = Flag("all", help: "As after a restart: nothing until the next unlock.")

    private static let software = Flag("software", help: "Without hardware, although this machine may have a TPM.")
    private static let requiresTPM = Flag("require-tpm", help: "With a TPM 2.0, or no device at all.")

    static let make = Action(
        Command(
            "init", abstract: "Make the device of this home.",
            discussion: """
                Every command makes the device when it is missing; this one says which secure element it stands on. \
                The choice is made once and is never changed silently.

                The TPM is the one that PAVISE_TPM names, else the machine's own (/dev/tpmrm0). One that is there and \
                may not be used by this user stops, with the group to join; --software goes on without it. An \
                administrator can demand hardware (“device.hardware” in the managed file), which no option and no \
                variable changes.
                """,
            parameters: [software, requiresTPM, Shared.json],
            examples: [
                .init("pavise device init", "Make the device and say what protects it."),
                .init("pavise device init --require-tpm", "Make it with a TPM, or fail."),
            ])
    ) { invocation, environment in
        guard !invocation[software] || !invocation[requiresTPM] else {
            throw CommandFailure(.usage, "Write --software or --require-tpm, not both.")
        }
        var surroundings = environment.device
        if invocation[software] { surroundings.elements.demand = .software }
        if invocation[requiresTPM] { surroundings.elements.demand = .hardware }
        let isNew = try !Device.exists(in: environment.home)
        let report = try Device.open(environment.home, surroundings).report()
        guard !invocation[requiresTPM] || report.element != .software else { throw DeviceFailure.hardwareRequired }
        let data = JSONValue.fields(["created": .bool(isNew), "device": report.data])
        let words = isNew ? "Made the device." : "There is a device already; nothing was changed."
        try environment.show(report.facts(after: Report(data: data).adding(.success(words))), for: invocation)
    }

    static let status = Action(
        Command(
            "status", abstract: "Say what protects this device, and whether it is locked.",
            parameters: [Shared.json],
            examples: [.init("pavise device status --json", "Give the state to a program.")])
    ) { invocation, environment in
        let report = try environment.openDevice().report()
        try environment.show(report.facts(after: Report(data: report.data)), for: invocation)
    }

    static let unlock = Action(
        Command(
            "unlock", abstract: "Unlock this device with its passcode.",
            discussion: """
                The passcode is asked for by PAVISE_ASKPASS, by a pinentry (PAVISE_PINENTRY, or the desktop's), or at \
                the terminal. Afterwards all programs of this user can read what is protected until “pavise device \
                lock”, until nobody used it for a while, or until the machine restarts.
                """,
            parameters: [period, fromInput, Shared.json],
            examples: [
                .init("pavise device unlock", "Ask for the passcode."),
                .init("pavise device unlock --for 15", "Lock again after 15 minutes without use."),
            ])
    ) { invocation, environment in
        let device = try environment.openDevice()
        guard try device.hasPasscode() else { throw DeviceFailure.noPasscode }
        let seconds = invocation[period].map { $0 * 60 }
        let period = seconds.map { UnlockPeriod(whileUnlocked: $0) } ?? UnlockPeriod()
        var isShared = true
        let reason = "The passcode unlocks this device."
        try environment.withPasscode(invocation, reason) { passcode throws(DeviceFailure) in
            isShared = try device.unlock(passcode.bytes, for: period)
        }
        var report = Report(data: .fields(["unlocked": true, "shared": .bool(isShared)]))
        report.add(.success("Unlocked."))
        if !isShared {
            report.add(.line("The kernel keeps no keys here: this holds for one process alone, which ends now."))
        }
        try environment.show(report, for: invocation)
    }

    static let lock = Action(
        Command(
            "lock", abstract: "Lock this device for all programs of this user.",
            parameters: [isRestart, Shared.json],
            examples: [.init("pavise device lock", "Lock before leaving the desk.")])
    ) { invocation, environment in
        let device = try environment.openDevice()
        guard try device.hasPasscode() else { throw DeviceFailure.noPasscode }
        try invocation[isRestart] ? device.forgetFirstUnlock() : device.lock()
        let report = Report(data: .fields(["locked": true])).adding(.success("Locked."))
        try environment.show(report, for: invocation)
    }
}

extension Environment {
    /// The device of the home, which must be there.
    func openDevice() throws -> Device {
        guard try Device.exists(in: home) else {
            throw CommandFailure(.failed, "There is no device in \(home.path) yet. “pavise device init” makes it.")
        }
        return try Device.open(home, device)
    }
}
