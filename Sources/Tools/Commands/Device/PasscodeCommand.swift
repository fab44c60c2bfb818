internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives

/// `pavise device passcode`: sets, changes or removes it.
enum PasscodeCommand {
    private static let isRemoving = Flag("remove", help: "Remove the passcode.")
    private static let erases = Flag("erase-after-ten", help: "Ten wrong passcodes in a row erase the device.")
    private static let keeps = Flag("keep-after-ten", help: "Ten wrong passcodes erase nothing.")
    private static let isStrict = Flag("strict", help: "Longer delays after wrong passcodes.")

    static let action = Action(
        Command(
            "passcode", abstract: "Set, change or remove the passcode.",
            discussion: """
                The first passcode wraps the keys of everything that is readable only while unlocked, or after the first \
                unlock since the machine started. Nothing is encrypted anew. A lost passcode cannot be restored.

                With --passcode-stdin, standard input gives the passcode; to change it, the old one on the first line and \
                the new one on the second. Removing it destroys the items that exist only while there is a passcode.
                """,
            parameters: [isRemoving, erases, keeps, isStrict, DeviceCommands.fromInput, Shared.json],
            examples: [
                .init("pavise device passcode", "Set a passcode, or change it."),
                .init("pavise device passcode --erase-after-ten", "The same; ten wrong tries erase."),
                .init("pavise device passcode --remove", "Go on without a passcode."),
            ])
    ) { invocation, environment in
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
        let passcode = try isInput ? environment.secretFromInput(0, of: 1) : environment.newPasscode()
        try device.setPasscode(passcode.bytes, policy: policy(invocation, ThrottlePolicy()))
    }

    private static func change(_ device: Device, _ invocation: Invocation, _ environment: Environment) throws {
        let policy = policy(invocation, try device.report().policy ?? ThrottlePolicy())
        if invocation[DeviceCommands.fromInput] {
            let lines = try environment.inputSecrets(2)
            guard lines.count == 2 else {
                throw CommandFailure(
                    .usage, "Standard input has to give the old passcode and the new one, a line each.")
            }
            return try device.changePasscode(lines[0].bytes, to: lines[1].bytes, policy: policy)
        }
        try environment.withPasscode(invocation, "The old passcode, to change it.") { old throws(DeviceFailure) in
            // Judged before the new one is asked for.
            try device.unlock(old.bytes)
            let next: BoxedSecret
            do { next = try environment.newPasscode() } catch { throw (error as? DeviceFailure) ?? .cancelled }
            try device.changePasscode(old.bytes, to: next.bytes, policy: policy)
        }
    }

    private static func policy(_ invocation: Invocation, _ known: ThrottlePolicy) -> ThrottlePolicy {
        let erases = invocation[erases] || (known.erasesAtLimit && !invocation[keeps])
        return ThrottlePolicy(invocation[isStrict] ? .strict : known.preset, erasesAtLimit: erases)
    }
}
