internal import Pavise
internal import PaviseAppLock
internal import PavisePrimitives
internal import SecurityFramework

/// What `pavise lock status` says. Nothing in it is secret.
struct LockReport {
    let lock: AppLock
    let state: AppLockState

    init(_ lock: AppLock) {
        self.lock = lock
        state = lock.state
        others = lock.lockedByOthers
    }

    // The programs of other names that have a lock in this home; `nil` where nobody can say.
    private let others: [String]?

    /// The state as JSON.
    var data: JSONValue {
        let figures = lock.policy.figures(of: lock.product).map { figure in
            JSONValue.fields([
                "name": .string(figure.name), "value": .string(figure.value), "source": .string(figure.source.rawValue),
            ])
        }
        return .fields([
            "state": .string(name), "code": lock.code.map { .string($0.rawValue) },
            "mustReplace": .bool(lock.mustReplace), "reason": reason.map { .string($0) }, "waitSeconds": .integer(wait),
            "secondsLeft": secondsLeft.map { .integer($0) }, "wrongInARow": .integer(lock.wrongInARow),
            "hardware": .bool(PINKeyDerivationBridge.isHardware), "guess": lock.priceWords.map { .string($0) },
            "biometrics": "not available", "otherPrograms": others.map { .array($0.map { .string($0) }) },
            "figures": .array(figures),
        ])
    }

    /// The state in words.
    var report: Report {
        var report = Report(data: data)
        report.add(.fact(.init("state", "State", words)))
        if let code = lock.code { report.add(.fact(.init("code", "Opens with", "a \(code.word)"))) }
        if let others, !others.isEmpty {
            let names = others.map { Printable.text($0) }.joined(separator: ", ")
            report.add(
                .fact(
                    .init(
                        "otherPrograms", "Locked by", "\(names): another program in this home, with a lock of its own"))
            )
        }
        if let price = lock.priceWords {
            report.add(.fact(.init("guess", "A guess", "\(price), and one use of the secure element")))
        }
        if let protection = PINKeyDerivationBridge.protection {
            report.add(.fact(.init("element", "Element", protection)))
        }
        report.add(.fact(.init("biometrics", "Biometrics", "not available on this platform")))
        report.add(
            .table(
                [["FIGURE", "VALUE", "CHOSEN BY"]]
                    + lock.policy.figures(of: lock.product).map { [$0.name, $0.value, $0.source.rawValue] }))
        if state == .unset {
            report.add(
                .line(
                    """
                    “pavise lock set” sets a PIN. Six digits are better than four, and a passphrase is better than a \
                    PIN.
                    """
                ))
        }
        if lock.mustReplace {
            report.add(
                .failure("The rules want a \(lock.usualCode.word) now. Change to one with “pavise lock change”."))
        }
        if state != .unset, !PINKeyDerivationBridge.isHardware {
            report.add(
                .line(
                    """
                    Without hardware, a PIN protects against a person at the screen and a copy without the element's \
                    file, not against a copy of the whole disk; a long passphrase is harder to guess there too.
                    """
                ))
        }
        return report
    }

    private var name: String {
        switch state {
        case .unset: "unset"
        case .locked: "locked"
        case .delayed: "delayed"
        case .unlocked: "unlocked"
        case .ended: "ended"
        }
    }

    private var words: String {
        switch state {
        case .unset where others == nil:
            "this program has neither PIN nor passphrase; whether another program locked this home cannot be read"
        case .unset where others != []:
            "this program has neither PIN nor passphrase; this home is locked by another program (PAVISE_APP_ID)"
        case .unset: "neither PIN nor passphrase is set: nothing is locked"
        case .locked(let reason): "locked. \(reason.words)"
        case .delayed(let reason, let seconds): "locked. \(reason.words) The next try is allowed in \(seconds) s."
        case .unlocked(let seconds): "unlocked, for \(seconds) s more without use"
        case .ended(let action): AppLockFailure.ended(action).description
        }
    }

    private var reason: String? {
        switch state {
        case .locked(let reason), .delayed(let reason, _): reason.words
        default: nil
        }
    }

    private var wait: Int64 {
        if case .delayed(_, let seconds) = state { seconds } else { 0 }
    }

    private var secondsLeft: Int64? {
        if case .unlocked(let seconds) = state { seconds } else { nil }
    }
}
