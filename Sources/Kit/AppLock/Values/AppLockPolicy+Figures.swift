internal import PaviseValidation

/// One setting of an app lock and who chose it, for an assessor (app-lock AL48).
public struct AppLockFigure: Hashable, Sendable {
    /// Who chose a figure.
    public enum Source: String, Hashable, Sendable {
        /// Nobody: it is the kit's.
        case standard = "default"
        /// The product.
        case product
        /// The administrator.
        case management
    }

    /// The figure's name, as in ``AppLockPolicy``.
    public let name: String
    /// Its value in words.
    public let value: String
    /// Who chose it.
    public let source: Source
}

extension AppLockPolicy {
    /// All figures with their sources.
    ///
    /// - Parameter product: The product's own figures, before an administrator tightened them.
    public func figures(of product: AppLockPolicy) -> [AppLockFigure] {
        zip(values, zip(product.values, Self.standard.values)).map { mine, others in
            let (chosen, usual) = others
            let source: AppLockFigure.Source =
                mine.text != chosen.text ? .management : chosen.text != usual.text ? .product : .standard
            return AppLockFigure(name: mine.name, value: mine.text, source: source)
        }
    }

    /// The fewest digits of a PIN.
    package var leastDigits: Int { pin.length.lowerBound }
    /// The fewest characters of a passphrase.
    package var leastCharacters: Int { passphrase.least }

    private var values: [(name: String, text: String)] {
        [
            ("code", LockCode.allCases.filter(codes.contains).map(\.word).joined(separator: " or ")),
            ("digits", "\(pin.length.lowerBound) to \(pin.length.upperBound)"),
            ("characters", "\(passphrase.least) to \(PassphraseRule.most)"), ("idle", Self.words(idle)),
            ("grace", Self.words(grace)), ("activeTime", Self.words(activeTime)), ("freeAttempts", "\(freeAttempts)"),
            ("attempts", "\(attempts)"), ("delays", delays.map(Self.words).joined(separator: ", ")),
            ("finalAction", finalAction.rawValue), ("biometrics", allowsBiometrics ? "allowed" : "forbidden"),
        ]
    }

    /// A time in the largest unit that gives a whole number.
    static func words(_ time: Duration) -> String {
        let seconds = time.components.seconds
        if seconds > 0, seconds % 3600 == 0 { return "\(seconds / 3600) h" }
        if seconds > 0, seconds % 60 == 0 { return "\(seconds / 60) min" }
        return "\(seconds) s"
    }
}
