internal import PaviseArguments
internal import PaviseCommands
internal import PaviseLab
internal import PavisePrimitives
internal import SecurityFramework

/// `pavise-lab authority`.
///
/// One rule for each setting, at the start and whenever the file changes: `--set` wins over the file, the file over an
/// option of its own, and what none of them says is as it is without them.
struct LabAuthorityScene: LabScene {
    /// As the options of their own say.
    private let options: AuthorityConfiguration
    private let configuration: AuthorityConfiguration
    private let port: UInt16
    private let identityFile: String?
    private let makers: String?
    private let app: String?
    private let settingsFile: String?
    private let given: AuthoritySettings
    private let read: [AuthoritySettings.Line]?
    private let faults: AuthorityFaultPlan
    private let records: [(path: String, fields: String)]

    init(_ invocation: Invocation) throws {
        if let path = invocation[LabOptions.identity] { try Self.checkIdentity(path) }
        var options = AuthorityConfiguration()
        options.clientID = invocation[LabOptions.client] ?? "pavise"
        options.accessTokenLifetime = invocation[LabOptions.accessLifetime] ?? options.accessTokenLifetime
        options.refreshTokenLifetime = invocation[LabOptions.refreshLifetime] ?? options.refreshTokenLifetime
        options.idleTime = invocation[LabOptions.idle]
        options.maximumSession = invocation[LabOptions.maximumSession]
        options.keyRotation = invocation[LabOptions.keyRotation].map {
            // What is signed is good for no longer than that.
            .init(every: $0, overlap: max($0, 60))
        }
        switch invocation[LabOptions.rotation] ?? .strict {
        case .strict: options.rotation = .strict
        case .grace: options.rotation = .grace(seconds: invocation[LabOptions.grace] ?? 10)
        case .none: options.rotation = .none(repeatsToken: true)
        case .refusing: options.rotation = .refusing
        }
        makers = invocation[LabOptions.attest]
        app = invocation[LabOptions.attestApp]
        settingsFile = invocation[LabOptions.settings]
        given = AuthoritySettings(invocation[LabOptions.set])
        let inFile = try settingsFile.map(Self.settings)
        read = inFile?.lines
        identityFile = invocation[LabOptions.identity]
        options.bindsTokensToCertificates = identityFile != nil
        if makers != nil { options.demandsAttestation = true }
        if app != nil { options.demandsAttestation = true }
        let settings = (inFile ?? AuthoritySettings([])).under(given)
        configuration = settings.applied(to: options)
        faults = settings.faults
        self.options = options
        records = try invocation[LabOptions.records].map(Self.records) ?? []
        port = invocation[LabOptions.port] ?? 0
    }

    func start(_ authority: CertificateAuthority) throws -> any LabShow {
        let identity = try authority.issue()
        var options = options
        var configuration = configuration
        let people = try identityFile.map { try Self.writeIdentity($0) }
        options.deviceMakers = try makers.map(Self.certificates) ?? []
        options.attestedApps = app.map { [AttestedApp($0), AttestedApp($0, isDevelopment: true)] } ?? []
        (configuration.deviceMakers, configuration.attestedApps) = (options.deviceMakers, options.attestedApps)
        let server = try LabAuthority.start(identity, people: people, configuration: configuration, port: port)
        faults.apply(to: server)
        for record in records { server.records.write(record.path, record.fields) }
        return Show(
            server: server, identity: identity, options: options, configuration: configuration,
            identityFile: identityFile, settingsFile: settingsFile, given: given, read: read)
    }

    /// Every setting as it would begin.
    var settings: Report {
        let rows =
            AuthorityKnob.all.map { ($0.name, $0.text(in: configuration), $0.values) }
            + AuthorityFaultPlan.names.map { ($0.name, faults.text($0.name), $0.values) }
        var report = Report(data: .object(rows.map { .init($0.0, .string($0.1)) }))
        for row in rows { report.add(.line("\(row.0)=\(row.1)   # \(row.2)")) }
        return report
    }

    private static func settings(in path: String) throws -> AuthoritySettings {
        let text = String(decoding: try InputFile.read(path, limit: 1 << 16), as: UTF8.self)
        do throws(AuthoritySettings.Unusable) { return try AuthoritySettings(text) } catch {
            throw CommandFailure(.usage, "\(path), line \(error.number): no setting, or no value of it.")
        }
    }

    private static func records(in path: String) throws -> [(path: String, fields: String)] {
        let bytes = try InputFile.read(path, limit: 1 << 24)
        guard let members = (try? JSONValue.parse(bytes, limit: 1 << 24, depth: 32))?.members,
            members.allSatisfy({ $0.value.members != nil && $0.name.split(separator: "/").count == 3 })
        else { throw CommandFailure(.usage, "\(path) is no object with an object for each PERSON/COLLECTION/ID.") }
        return members.map { ($0.name, $0.value.text) }
    }

    private static func certificates(in path: String) throws -> [[UInt8]] {
        let found = AuthorityConfiguration.certificates(inPEM: try InputFile.read(path, limit: 1 << 20))
        guard !found.isEmpty else { throw LabFailure.request("\(path) holds no certificates, or unreadable ones") }
        return found
    }

    // It is written over: somebody's own identity stays.
    private static func checkIdentity(_ path: String) throws {
        guard let bytes = try DurableFile.readIfPresent(path, limit: 4 << 20) else { return }
        guard IdentityBridge.read(pkcs12: bytes, passphrase: SecretBytes(utf8: "lab")).identity != nil else {
            throw CommandFailure(
                .usage,
                "“\(path)” is there, and no identity of the lab. It was not changed; choose another --identity.")
        }
    }

    // An authority of its own for people, as an organisation has one.
    private static func writeIdentity(_ path: String) throws -> [UInt8] {
        let people = try CertificateAuthority(name: "Lab people")
        let person = LeafProfile(
            names: ["alice.example"], addresses: [], commonName: "Alice", purposes: [.client])
        let file = try people.issue(person).pkcs12(passphrase: "lab")
        try DurableFile.write(file.span, to: path)
        return people.anchor
    }

    private struct Show: LabShow {
        let server: LabAuthority
        let identity: ServerIdentity
        let options: AuthorityConfiguration
        let configuration: AuthorityConfiguration
        let identityFile: String?
        let settingsFile: String?
        let given: AuthoritySettings
        /// What the file had when the scene was made: it may have changed since.
        let read: [AuthoritySettings.Line]?

        private var demanding: String? { server.certificateServer?.address("", host: configuration.host) }

        private func connectWithIdentity(_ address: String) -> String {
            "pavise connect \(address) --name lab --issuer \(server.issuer) --identity lab --approve-certificate "
                + identity.pin
        }

        func opening(anchors: String) -> Report {
            let users = configuration.users.sorted { $0.key < $1.key }
            let client = configuration.clientID == "pavise" ? "" : " --client-id \(configuration.clientID)"
            let connect = "pavise connect \(server.issuer) --name lab\(client) --approve-certificate \(identity.pin)"
            var report = Report(
                data: .fields([
                    "issuer": .string(server.issuer), "anchors": .string(anchors), "pin": .string(identity.pin),
                    "clientID": .string(configuration.clientID), "api": .string(server.address(.api)),
                    "basic": .string(server.address(.basic)),
                    "users": .array(
                        users.map { .fields(["name": .string($0.key), "password": .string($0.value)]) }),
                    "connect": .string(connect), "identity": identityFile.map { .string($0) },
                    "demandsIdentity": demanding.map { .string($0) },
                ]))
            report.add(.success("The authority runs at \(server.issuer)."))
            report.add(.fact(.init("client", "Client", configuration.clientID)))
            for user in users { report.add(.fact(.init("user", "Person", "\(user.key), password \(user.value)"))) }
            report.add(.fact(.init("api", "Resource", server.address(.api) + "me")))
            report.add(.fact(.init("basic", "HTTP Basic", server.address(.basic) + "me")))
            report.add(.fact(.init("anchors", "Anchors", anchors)))
            report.add(.fact(.init("pin", "SPKI SHA-256", identity.pin)))
            if let demanding, let identityFile {
                report.add(.fact(.init("demandsIdentity", "Demands identity", demanding)))
                report.add(.line("First: printf 'lab\\n' | pavise identity import lab \(identityFile)"))
                report.add(.line("Try: \(connectWithIdentity(demanding))"))
            } else {
                report.add(.line("Try: \(connect)"))
            }
            if !configuration.deviceMakers.isEmpty {
                report.add(.line("Before: pavise device attest \(server.issuer) --approve-certificate \(identity.pin)"))
            }
            if let app = configuration.attestedApps.first {
                report.add(.fact(.init("attestedApp", "App Attest", app.application)))
            }
            report.add(.line("Then: pavise fetch lab /api/me"))
            report.add(.line("Ctrl-C ends it."))
            return report
        }

        func closing() -> Report {
            let seen = server.counters
            var report = Report(
                data: .fields([
                    "signIns": .integer(seen.codeExchanges), "tokenRequests": .integer(seen.tokenRequests),
                    "refreshes": .integer(seen.refreshes), "rotations": .integer(seen.rotations),
                    "reuseDetections": .integer(seen.reuseDetections),
                    "revokedFamilies": .integer(seen.revokedFamilies), "revocations": .integer(seen.revocations),
                    "grantedCalls": .integer(seen.grantedCalls), "refusedCalls": .integer(seen.refusedCalls),
                ]))
            report.add(
                .line(
                    "Stopped. \(seen.codeExchanges) sign-ins, \(seen.refreshes) refreshes, "
                        + "\(seen.reuseDetections) reused tokens, \(seen.revocations) revocations, "
                        + "\(seen.grantedCalls) calls granted, \(seen.refusedCalls) refused."))
            return report
        }

        // A second is soon enough for a person, and a file that is being written is whole by then.
        func watch(_ environment: Environment) async {
            guard let settingsFile else { return }
            var (before, isWrong) = (read ?? [], false)
            while !Task.isCancelled {
                do {
                    let settings = try LabAuthorityScene.settings(in: settingsFile)
                    if before != settings.lines {
                        server.configuration = settings.under(given).applied(to: options)
                        // What has happened a number of times begins anew only where its line has changed.
                        let faults = settings.under(given).faults
                        if faults != AuthoritySettings(before).under(given).faults { faults.apply(to: server) }
                        let holding = settings.lines.filter { line in !given.lines.contains { $0.name == line.name } }
                        environment.console.tell(.line("\(settingsFile): \(holding.count) settings hold now."))
                    }
                    (before, isWrong) = (settings.lines, false)
                } catch {
                    let words = (error as? CommandFailure)?.message ?? "\(settingsFile) cannot be read."
                    if !isWrong { environment.console.tell(.failure(Printable.text(words))) }
                    isWrong = true
                }
                guard (try? await environment.sleep(.seconds(1))) != nil else { return }
            }
        }

        func stop() { server.stop() }
    }
}
