internal import Pavise
internal import PaviseAppLock
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport
internal import PaviseValidation

/// One rule in effect, and who made it (connections C39).
struct PolicyRow: Sendable {
    /// The rule's name, as in an administrator's file.
    let name: String
    let value: String
    /// Whether an administrator chose the value.
    let isManaged: Bool

    /// The row for a table.
    var cells: [String] { [name, value, isManaged ? "administrator" : "program"] }

    private init(_ name: String, _ managed: String?, _ own: String) {
        self.name = name
        value = managed ?? own
        isManaged = managed != nil
    }

    // What an administrator's figure does not tighten stays the program's.
    private init<Figure: Equatable>(_ name: String, _ figure: Figure, own: Figure, _ words: (Figure) -> String) {
        self.init(name, figure == own ? nil : words(figure), words(own))
    }

    /// All rules.
    static func all(_ managed: ManagedConfiguration?) -> [PolicyRow] {
        servers(managed?.trust) + methods(managed?.methods) + session(managed?.session) + appLock(managed?.appLock)
            + device(managed?.device)
    }

    private static func servers(_ trust: ManagedTrust?) -> [PolicyRow] {
        [
            PolicyRow("allowedServers", trust?.allowedServers.map { list($0.map(\.description)) }, "any"),
            PolicyRow("plainHTTP", trust?.forbidsPlainHTTP == false ? "warn" : nil, "forbidden"),
            PolicyRow(
                "renewal", changed(trust?.renewal, ManagedTrust().renewal)?.rawValue, ManagedTrust().renewal.rawValue),
            PolicyRow(
                "userApproval", changed(trust?.personApproval, .allowed)?.rawValue,
                ManagedTrust.PersonApproval.allowed.rawValue),
            PolicyRow("anchors", changed(trust?.anchors, .any)?.rawValue, ManagedTrust.Anchors.any.rawValue),
            PolicyRow("requiredPins", several(trust?.requiredPins.map(words)), "none"),
            PolicyRow("preApproved", several(trust?.preApproved.map(words)), "none"),
            PolicyRow("denied.keys", several(trust?.denied.keys.map(\.base64).sorted()), "none"),
            PolicyRow("denied.certificates", several(trust?.denied.certificates.map(\.hex).sorted()), "none"),
            PolicyRow("denied.issuers", several(trust?.denied.issuers.sorted()), "none"),
            PolicyRow(
                "transparency",
                trust.flatMap { $0.transparentHosts.isEmpty ? nil : list($0.transparentHosts.sorted()) }, "none"),
            PolicyRow("transparencyLogs", trust?.transparencyLogs.map { "\($0.logs.count)" }, "none"),
        ]
    }

    private static func methods(_ methods: ManagedMethods?) -> [PolicyRow] {
        let usual = MethodRules().preferred.map(\.rawValue)
        let first = methods?.preferred ?? []
        let preferred = first + usual.filter { !first.contains($0) }
        return [
            PolicyRow("authentication.allowed", methods?.allowed.map(list), "any"),
            PolicyRow("authentication.preferred", preferred, own: usual, list),
            PolicyRow("authentication.weaker", methods?.mayWeaken == false ? "refused" : nil, "ask"),
            PolicyRow(
                "authentication.passwordServers", methods?.passwordServers.map { list($0.map(\.description)) },
                "those of --basic"),
        ]
    }

    private static func session(_ session: ManagedSession?) -> [PolicyRow] {
        let own = RefreshPolicy()
        let now = own.tightened(by: session)
        return [
            PolicyRow("session.maximumSeconds", now.absoluteLimit, own: own.absoluteLimit, seconds),
            PolicyRow("session.inactivitySeconds", now.inactivity, own: own.inactivity, seconds),
            PolicyRow("session.rejections", now.rejectionsUntilEnd, own: own.rejectionsUntilEnd) { "\($0)" },
            PolicyRow("session.whileLocked", session?.forbidsWhileLocked == true ? "forbidden" : nil, "app"),
        ]
    }

    private static func appLock(_ lock: ManagedAppLock?) -> [PolicyRow] {
        let own = AppLockPolicy.standard
        let now = lock.map { own.tightened(by: AppLockTightening($0)) } ?? own
        return [
            PolicyRow("appLock.required", lock?.isRequired == true ? "yes" : nil, "no"),
            PolicyRow("appLock.minimumDigits", now.pin.length.lowerBound, own: own.pin.length.lowerBound, number),
            PolicyRow("appLock.passphrase", lock?.requiresPassphrase == true ? "required" : nil, "allowed"),
            PolicyRow("appLock.minimumCharacters", now.passphrase.least, own: own.passphrase.least, number),
            PolicyRow("appLock.attempts", now.attempts, own: own.attempts, number),
            PolicyRow("appLock.freeAttempts", now.freeAttempts, own: own.freeAttempts, number),
            PolicyRow("appLock.delaySeconds", now.delays, own: own.delays) { list($0.map(seconds)) },
            PolicyRow("appLock.atLimit", now.finalAction, own: own.finalAction) { "\($0)" },
            PolicyRow("appLock.idleSeconds", now.idle, own: own.idle, seconds),
            PolicyRow("appLock.backgroundSeconds", now.grace, own: own.grace, seconds),
            PolicyRow("appLock.activeSeconds", now.activeTime, own: own.activeTime, seconds),
            PolicyRow("appLock.biometrics", lock?.allowsBiometrics == false ? "forbidden" : nil, "allowed"),
            PolicyRow("appLock.orders", lock?.orders.map(orders), "nobody's"),
        ]
    }

    private static func device(_ device: ManagedDevice?) -> [PolicyRow] {
        [
            PolicyRow("device.hardware", device?.requiresHardware == true ? "required" : nil, "preferred"),
            PolicyRow("device.integrity", device?.enforcesIntegrity == true ? "enforced" : nil, "app"),
            PolicyRow("device.minimumVersion", device?.minimumVersion?.description, "each"),
        ]
    }

    private static func orders(_ orders: ManagedOrders) -> String {
        "\(Printable.text(orders.issuer)), \(orders.keys.count.counting("key"))"
    }

    private static func changed<Value: Equatable>(_ value: Value?, _ usual: Value) -> Value? {
        value == usual ? nil : value
    }

    private static func several(_ words: [String]?) -> String? {
        guard let words, !words.isEmpty else { return nil }
        return list(words)
    }

    private static func words(_ pins: PinSet) -> String {
        let hosts = pins.hosts.sorted().joined(separator: " ")
        let certificates = pins.leafCertificates.count + pins.authorityCertificates.count
        return "\(hosts) (\((pins.leaf.count + pins.authority.count + certificates).counting("pin")))"
    }

    private static func words(_ approval: ManagedTrust.Approval) -> String { "\(approval.host):\(approval.port)" }
    private static func number(_ number: Int) -> String { "\(number)" }

    private static func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ", ") }
    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds)" }
}

/// The rules in effect as data.
enum PolicyReport {
    static func data(_ rows: [PolicyRow], path: String?, _ managed: ManagedConfiguration?) -> JSONValue {
        .fields([
            "file": path.map { .string($0) },
            "rules": .array(
                rows.map { row in
                    .fields([
                        "name": .string(row.name), "value": .string(row.value),
                        "from": .string(row.isManaged ? "administrator" : "program"),
                    ])
                }),
            "unknownKeys": .array((managed?.unknownKeys ?? []).map { .string($0.path) }),
        ])
    }
}
