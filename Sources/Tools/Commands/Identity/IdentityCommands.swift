internal import Foundation
internal import Pavise
internal import PaviseArguments
internal import PavisePrimitives

/// `pavise identity import|request|complete|list|remove`: certificates of the person's own.
enum IdentityCommands {
    private static let name = Argument("NAME", help: "What the identity is called: 1 to 64 letters, digits and “-._”.")
    private static let file = Argument("FILE", help: "A PKCS #12 file (.p12, .pfx); - is standard input.")
    private static let certificates = Argument(
        "FILE", help: "The certificate and those above it, in PEM, or one in DER; - is standard input.")
    private static let subject = Option(
        "subject", value: "NAME", help: "The common name in the request; the identity's name unless given.")

    static let take = Action(
        Command(
            "import", abstract: "Take a certificate and its key from a file.",
            discussion: """
                The passphrase of the file is typed, or is the first line of standard input; it is never an argument. \
                The key goes into the keychain, under a name that no other program can ask for. Delete the file \
                afterwards.

                An identity of this name is replaced. Its key stays for a day, for connections that are open.
                """,
            parameters: [name, file, Shared.json],
            examples: [.init("pavise identity import work work.p12", "Take what an administrator has sent.")])
    ) { invocation, environment in
        let (name, path) = (try invocation.value(name), try invocation.value(file))
        var bytes = try read(path, limit: 4 << 20)
        defer { Wipe.bytes(&bytes) }
        let passphrase =
            try environment.person.secret("Passphrase of \(Printable.text(path)): ") ?? SecretBytes(utf8: "")
        let identity = try environment.connections.identities.take(bytes, passphrase: passphrase, as: name)
        try environment.show(report(identity, "Stored the identity “\(name)”."), for: invocation)
    }

    static let request = Action(
        Command(
            "request", abstract: "Make a key, and the request for its certificate.",
            discussion: """
                The key is made in this device's secure element and never leaves it. The request (PKCS #10, PEM) is \
                printed: give it to the authority, and what it answers to “pavise identity complete”. An identity of \
                this name goes on until then.
                """,
            parameters: [name, subject, Shared.json],
            examples: [
                .init("pavise identity request work --subject 'Ada Lovelace' > work.csr", "Ask for a certificate.")
            ])
    ) { invocation, environment in
        let name = try invocation.value(name)
        let text = try environment.connections.identities.requestText(name, subject: invocation[subject] ?? name)
        var report = Report(data: .fields(["name": .string(name), "request": .string(text)]))
        for line in text.split(separator: "\n") { report.add(.line(String(line))) }
        try environment.show(report, for: invocation)
    }

    static let complete = Action(
        Command(
            "complete", abstract: "Take the certificate that was asked for.",
            discussion: """
                A certificate for another key than that of the last request is refused, and one that is not valid now. \
                A key that is replaced stays for a day, for connections that are open.
                """,
            parameters: [name, certificates, Shared.json],
            examples: [.init("pavise identity complete work work.pem", "Take the authority's answer.")])
    ) { invocation, environment in
        let name = try invocation.value(name)
        let bytes = try read(try invocation.value(certificates), limit: 1 << 18)
        let identity = try environment.connections.identities.complete(name, with: bytes)
        try environment.show(report(identity, "The identity “\(name)” is ready."), for: invocation)
    }

    static let list = Action(
        Command(
            "list", abstract: "List the identities, without their keys.",
            discussion: """
                “renew” stands where two thirds of a certificate's life are over: ask for the next one.
                """,
            parameters: [Shared.json],
            examples: [.init("pavise identity list --json", "Give the list to a program.")])
    ) { invocation, environment in
        let now = Date(timeIntervalSince1970: Double(environment.time.wallSeconds))
        let identities = try environment.connections.identities.list()
        var report = Report(data: .fields(["identities": .array(identities.map { $0.data(at: now) })]))
        report.add(
            identities.isEmpty
                ? .line("There are no identities. “pavise identity import” takes one from a file.")
                : .table([["NAME", "SUBJECT", "UNTIL", "KEY", "STATE"]] + identities.map { $0.cells(at: now) }))
        try environment.show(report, for: invocation)
    }

    static let remove = Action(
        Command(
            "remove", abstract: "Remove an identity and destroy its key.",
            discussion: "Connections that show it cannot be used from then on.", parameters: [name, Shared.json],
            examples: [.init("pavise identity remove work", "Remove it.")])
    ) { invocation, environment in
        let name = try invocation.value(name)
        try environment.connections.identities.remove(name)
        let report = Report(data: .fields(["name": .string(name), "removed": true]))
        try environment.show(report.adding(.success("Removed the identity “\(name)”.")), for: invocation)
    }

    private static func read(_ path: String, limit: Int) throws -> [UInt8] {
        try InputFile.open(path).readAll(limit: limit)
    }

    private static func report(_ identity: AppSecurity.Identity, _ sentence: String) -> Report {
        var report = Report(data: identity.data(at: .distantPast)).adding(.success(sentence))
        if let subject = identity.subject { report.add(.fact(.init("subject", "Subject", subject))) }
        if let end = identity.validity?.upperBound {
            report.add(.fact(.init("notAfter", "Valid until", end.formatted(.iso8601))))
        }
        report.add(.line("Try: pavise connect URL --identity \(identity.name)"))
        return report
    }
}

extension AppSecurity.Identity {
    private func state(at date: Date) -> String {
        guard let validity else { return "requested" }
        if date > validity.upperBound { return "expired" }
        return isDue(at: date) ? (isRequested ? "renew, requested" : "renew") : "ready"
    }

    private func expiry(_ validity: ClosedRange<Date>, _ date: Date) -> Report.Fact {
        .expiry(
            of: Int64(validity.upperBound.timeIntervalSince1970), at: Int64(date.timeIntervalSince1970))
    }

    fileprivate func cells(at date: Date) -> [String] {
        let end = validity.map { "\($0.upperBound.formatted(.iso8601)), \(expiry($0, date).words ?? "")" } ?? "-"
        return [name, Printable.text(subject ?? "-"), end, isInElement ? "element" : "keychain", state(at: date)]
    }

    fileprivate func data(at date: Date) -> JSONValue {
        .fields([
            "name": .string(name), "subject": subject.map { .string($0) },
            "notBefore": validity.map { .string($0.lowerBound.formatted(.iso8601)) },
            "notAfter": validity.map { .string($0.upperBound.formatted(.iso8601)) },
            "daysLeft": date == .distantPast ? nil : validity.map { expiry($0, date).value },
            "element": .bool(isInElement), "requested": .bool(isRequested), "due": .bool(isDue(at: date)),
        ])
    }
}
