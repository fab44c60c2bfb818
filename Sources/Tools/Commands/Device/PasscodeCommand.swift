internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives

/// `pavise device passcode`: sets, changes or removes it.
enum PasscodeCommand {
    private static let isRemoving = Flag("remove", help: "Remove the passcode.")
    private static let erases = Flag("erase-after-ten", help: "Ten wrong passcodes in a row erase the device.")
    private static let keeps = Flag("keep-after-ten", help: "Ten wrong passcodes erase nothing.")
    private static let isStrict = Flag("strict", help: "Longer delays after wrong passcodes.")
    private static let isStandard = Flag("standard", help: "The usual delays again.")

    static let action = Action(
        Command(
            "passcode", abstract: "Set, change or remove the passcode.",
            discussion: """
                The first passcode wraps the keys of everything that is readable only while unlocked, or after the \
                first unlock since the machine started. Nothing is encrypted anew. A lost passcode cannot be restored.

                With --passcode-stdin, standard input gives the passcode; to change it, the old one on the first line \
                and the new one on the second. Removing it destroys the items that exist only while there is a passcode.
                """,
            parameters: [isRemoving, erases, keeps, isStrict, isStandard, DeviceCommands.fromInput, Shared.json],
            examples: [
                .init("pavise device passcode", "Set a passcode, or change it."),
                .init("pavise device passcode --erase-after-ten", "The same; ten wrong tries erase."),
                .init("pavise device passcode --remove", "Go on without a passcode."),
            ])
    ) { invocation, environment in
        try checkFlags(invocation)
        let device = try Device.open(environment.home, environment.device)
        let words: String
        switch (try device.hasPasscode(), invocation[isRemoving]) {
        case (false, true): throw DeviceFailure.noPasscode
        case (false, false):
            try set(device, invocation, environment)
            words = "The passcode is set."
        case (true, true):
            try environment.withPasscode(invocation, "The passcode removes itself.") { passcode throws(DeviceFailure) in
                try device.removePasscode(passcode.bytes)
            }
            words = "The passcode is removed."
        case (true, false):
            try change(device, invocation, environment)
            words = "The passcode is changed."
        }
        let report = try device.report()
        try environment.show(Report(data: report.data).adding(.success(words)), for: invocation)
    }

    private static func set(_ device: Device, _ invocation: Invocation, _ environment: Environment) throws {
        let isInput = invocation[DeviceCommands.fromInput]
        let passcode = try isInput ? environment.passcodeFromInput() : environment.newPasscode()
        try device.setPasscode(passcode.bytes, policy: policy(invocation, ThrottlePolicy()))
    }

    private static func change(_ device: Device, _ invocation: Invocation, _ environment: Environment) throws {
        let policy = policy(invocation, try device.report().policy ?? ThrottlePolicy())
        if invocation[DeviceCommands.fromInput] {
            let (old, new) = try environment.passcodesFromInput()
            return try device.changePasscode(old.bytes, to: new.bytes, policy: policy)
        }
        let before = try device.lockState()
        // Judged before the new one is asked for.
        let old = try environment.withAskedPasscode("The old passcode, to change it.") { old throws(DeviceFailure) in
            try device.unlock(old.bytes)
        }
        do {
            let new = try environment.newPasscode()
            try device.changePasscode(old.bytes, to: new.bytes, policy: policy)
        } catch {
            try close(device, asItWas: before)
            throw error
        }
    }

    // What was closed before is closed again: nothing was changed. A device that stays open is told as that.
    private static func close(_ device: Device, asItWas before: LockState) throws {
        do throws(DeviceFailure) {
            switch before {
            case .beforeFirstUnlock: try device.forgetFirstUnlock()
            case .locked: try device.lock()
            case .unlocked: break
            }
        } catch {
            throw CommandFailure(
                .failed,
                """
                The passcode was not changed, and the device could not be locked again: it is open now. \
                \(CommandFailure(describing: error).message) Then lock it with “pavise device lock”.
                """
            )
        }
    }

    // What one flag says and another takes back is nobody's wish.
    private static func checkFlags(_ invocation: Invocation) throws {
        if invocation[erases], invocation[keeps] {
            throw CommandFailure(.usage, "Write --erase-after-ten or --keep-after-ten, not both.")
        }
        if invocation[isStrict], invocation[isStandard] {
            throw CommandFailure(.usage, "Write --strict or --standard, not both.")
        }
        let flags = [erases, keeps, isStrict, isStandard]
        guard !invocation[isRemoving] || !flags.contains(where: { invocation[$0] }) else {
            throw CommandFailure(.usage, "Without a passcode there are no tries to count: --remove stands alone.")
        }
    }

    private static func policy(_ invocation: Invocation, _ known: ThrottlePolicy) -> ThrottlePolicy {
        let erases = invocation[erases] || (known.erasesAtLimit && !invocation[keeps])
        let preset = invocation[isStandard] ? .standard : known.preset
        return ThrottlePolicy(invocation[isStrict] ? .strict : preset, erasesAtLimit: erases)
    }
}
