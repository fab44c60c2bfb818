internal import PavisePrimitives
internal import PaviseTransport

extension ManagedReader {
    /// The section `authentication`.
    mutating func methods(_ document: JSONValue) -> ManagedMethods {
        guard let (value, path) = section(document, .authentication) else { return ManagedMethods() }
        check(value, path, ["allowed", "preferred", "weaker", "passwordServers"])
        var methods = ManagedMethods()
        methods.allowed = names(value, "allowed", path)
        methods.preferred = names(value, "preferred", path) ?? []
        methods.mayWeaken = choice(value, "weaker", path, ["ask": true, "refused": false], true) ?? true
        methods.passwordServers = list(
            value, "passwordServers", "\(path).passwordServers", "a host or *.host, with or without a port"
        ) { $0.string.flatMap(ServerPattern.init) }
        return methods
    }

    /// The section `session`.
    mutating func session(_ document: JSONValue) -> ManagedSession {
        guard let (value, path) = section(document, .session) else { return ManagedSession() }
        check(value, path, ["maximumSeconds", "inactivitySeconds", "rejections", "whileLocked"])
        return ManagedSession(
            maximumSeconds: number(value, "maximumSeconds", path, 60...31_536_000),
            inactivitySeconds: number(value, "inactivitySeconds", path, 60...31_536_000),
            rejections: number(value, "rejections", path, 1...100).map { Int($0) },
            forbidsWhileLocked: choice(value, "whileLocked", path, ["app": false, "forbidden": true], false) ?? false)
    }

    /// The section `appLock`.
    mutating func appLock(_ document: JSONValue) -> ManagedAppLock {
        guard let (value, path) = section(document, .appLock) else { return ManagedAppLock() }
        check(
            value, path,
            [
                "required", "minimumDigits", "attempts", "atLimit", "idleSeconds", "backgroundSeconds", "activeSeconds",
                "biometrics", "orders", "passphrase", "minimumCharacters", "freeAttempts", "delaySeconds",
            ])
        return ManagedAppLock(
            isRequired: flag(value, "required", path) ?? false,
            minimumDigits: number(value, "minimumDigits", path, 4...16).map { Int($0) },
            requiresPassphrase: choice(value, "passphrase", path, ["allowed": false, "required": true], false) ?? false,
            minimumCharacters: number(value, "minimumCharacters", path, 8...64).map { Int($0) },
            attempts: number(value, "attempts", path, 3...10).map { Int($0) },
            freeAttempts: number(value, "freeAttempts", path, 0...3).map { Int($0) },
            delaySeconds: number(value, "delaySeconds", path, 1...86_400),
            atLimit: choice(value, "atLimit", path, Self.words(ManagedAppLock.AtLimit.self), nil),
            idleSeconds: number(value, "idleSeconds", path, 60...86_400),
            backgroundSeconds: number(value, "backgroundSeconds", path, 0...300),
            activeSeconds: number(value, "activeSeconds", path, 900...86_400),
            allowsBiometrics: choice(value, "biometrics", path, ["allowed": true, "forbidden": false], true) ?? true,
            orders: orders(value, path))
    }

    /// The section `device`.
    mutating func device(_ document: JSONValue) -> ManagedDevice {
        guard let (value, path) = section(document, .device) else { return ManagedDevice() }
        check(value, path, ["hardware", "integrity", "minimumVersion"])
        return ManagedDevice(
            requiresHardware: choice(value, "hardware", path, ["required": true, "preferred": false], false) ?? false,
            enforcesIntegrity: choice(value, "integrity", path, ["enforced": true, "app": false], false) ?? false,
            minimumVersion: optional(value, "minimumVersion", path, "a version of Pavise, such as 0.2.0") {
                $0.string.flatMap(PaviseVersion.init)
            })
    }

    private mutating func section(_ document: JSONValue, _ key: ManagedKey) -> (JSONValue, String)? {
        guard let value = document[key.rawValue] else { return nil }
        guard value.members != nil else {
            refuse(key.rawValue, "an object")
            return nil
        }
        return (value, key.rawValue)
    }

    // A method's name; an app may have methods of its own, so any name of the right form is taken.
    private mutating func names(_ value: JSONValue, _ name: String, _ path: String) -> [String]? {
        list(value, name, "\(path).\(name)", "the name of a method, such as oidc, oauth or basic") { element in
            element.string.flatMap { text in
                (1...32).contains(text.utf8.count)
                    && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
                    ? text : nil
            }
        }
    }

    private mutating func number(
        _ value: JSONValue, _ name: String, _ path: String, _ range: ClosedRange<Int64>
    ) -> Int64? {
        optional(value, name, path, "\(range.lowerBound) to \(range.upperBound)") {
            $0.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private mutating func flag(_ value: JSONValue, _ name: String, _ path: String) -> Bool? {
        optional(value, name, path, "true or false") {
            switch $0 {
            case .bool(let flag): flag
            default: nil
            }
        }
    }
}
