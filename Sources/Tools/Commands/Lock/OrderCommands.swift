internal import Foundation
internal import PaviseAppLock
internal import PaviseArguments
internal import PaviseJWT
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseTransport

/// `pavise lock orders|obey`: what an administrator orders from afar (app-lock AL25).
enum OrderCommands {
    private static let file = Argument("FILE", help: "The order; “-” is standard input.")

    private static let renew = Flag(
        "renew", help: "Become another installation where the record of orders is lost; asks for the PIN or passphrase."
    )

    static let list = Action(
        Command(
            "orders", abstract: "Say who this installation is, and what became of orders.",
            discussion: """
                An administrator names an issuer and public keys in the managed configuration (appLock.orders); \
                without them no order is obeyed. The identifier is the audience of an order, and the key checks its \
                receipt. The receipts of the last 64 orders are shown, to be sent again.

                Where the record of orders is gone or damaged, everything is closed: a wipe may have been ordered. \
                With --renew, the PIN or passphrase makes this another installation, with the date in each receipt; \
                tell the administrator.
                """,
            parameters: [renew, LockCommands.fromInput, Shared.json],
            examples: [
                .init("pavise lock orders --json", "Give identifier, key and signed receipts to a program."),
                .init("pavise lock orders --renew", "Go on where the record of orders is lost."),
            ])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        if invocation[renew] {
            try environment.withPIN(invocation, "The \((lock.code ?? .pin).word) makes this another installation.") {
                try lock.renewInstallation($0.bytes)
            }
        }
        // What was done is told, also where nobody gives orders any more.
        let issuer: String? =
            if invocation[renew] { try? environment.orderRules().issuer } else { try environment.orderRules().issuer }
        let installation = try lock.installation()
        let receipts = try lock.receipts()
        var report = Report(
            data: .fields([
                "issuer": issuer.map { .string($0) }, "installation": .string(installation.identifier),
                "created": installation.created.map { .integer($0) }, "renewed": .bool(invocation[renew]),
                "key": (try? JSONValue.parse(Array(installation.key.utf8))) ?? .null,
                "receipts": .array(try receipts.map { try data($0, lock) }),
            ]))
        if let issuer { report.add(.fact(.init("issuer", "Orders of", Printable.text(issuer)))) }
        if invocation[renew] {
            report.add(
                .failure(
                    "This is another installation now. Orders for the one before are refused: tell the administrator."))
        }
        report.add(.fact(.init("installation", "Installation", installation.identifier)))
        if let created = installation.created { report.add(.fact(.init("created", "Made", date(created)))) }
        report.add(.fact(.init("key", "Key of receipts", installation.key)))
        let rows = receipts.map { receipt in
            [receipt.order, receipt.action.rawValue, receipt.result.rawValue, date(receipt.seconds)]
        }
        if !rows.isEmpty { report.add(.table([["ORDER", "ACTION", "RESULT", "TIME"]] + rows)) }
        try environment.show(report, for: invocation)
    }

    static let obey = Action(
        Command(
            "obey", abstract: "Do what an administrator orders: lock, sign out, or wipe.",
            discussion: """
                An order is a compact JWS (ES256 or EdDSA) of a key that the managed configuration names. Header: typ \
                “\(OrderRules.type)”, kid. Claims: iss, aud (see “pavise lock orders”), jti, iat, exp (at most 30 days \
                later), and action: lock, signOut or wipe.

                An order is noted before it is begun, and taken once, also after a wipe; one that is interrupted goes \
                on with the next command that asks for the lock. No PIN is needed. The receipt that is printed is \
                signed; post it back. Status 3: the order is refused, and nothing was done.
                """,
            parameters: [file, Shared.json],
            examples: [
                .init("pavise lock obey order.jwt", "Do what the file says."),
                .init(
                    "curl -s https://management.example.org/order | pavise lock obey - --json", "Do what a server says."
                ),
            ])
    ) { invocation, environment in
        let lock = try environment.requireLock()
        let rules = try environment.orderRules()
        let path = try invocation.value(file)
        let receipt = try lock.obey(text(path), by: rules)
        let data = try data(receipt, lock)
        var report = Report(data: data)
        report.add(.success(receipt.words))
        report.add(.fact(.init("receipt", "Receipt", data["receipt"] ?? .null)))
        try environment.show(report, for: invocation)
    }

    // One byte more than is read, so that a longer order is refused and never cut short.
    private static func text(_ path: String) throws -> String {
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try InputFile.open(path).readAll(limit: 2 * OrderRules.limit)
        } catch {
            guard error.isTooLarge else { throw error }
            throw OrderFailure.token(.tooLong(limit: OrderRules.limit))
        }
        let text = String(validating: bytes, as: UTF8.self) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func data(_ receipt: OrderReceipt, _ lock: AppLock) throws -> JSONValue {
        .fields([
            "order": .string(receipt.order), "action": .string(receipt.action.rawValue),
            "result": .string(receipt.result.rawValue), "seconds": .integer(receipt.seconds),
            "installation": .string(receipt.installation), "receipt": .string(try lock.acknowledgement(of: receipt)),
        ])
    }

    private static func date(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

extension OrderReceipt {
    fileprivate var words: String {
        switch (action, result) {
        case (_, .begun): "The order was begun, and goes on with the next start."
        case (_, .nothingToLock): "There is no PIN, so there was nothing to lock."
        case (.lock, .done): "Locked, as ordered."
        case (.signOut, .done): "Every connection was signed out here, as ordered."
        case (.wipe, .done): "What was stored here was made unreadable for good, as ordered."
        }
    }
}

extension Environment {
    /// Whose orders are obeyed: what the managed configuration says now.
    fileprivate func orderRules() throws -> OrderRules {
        guard let orders = try managed.read()?.appLock.orders else {
            throw CommandFailure(
                .refused,
                """
                Nobody may order anything here: the managed configuration names no keys (appLock.orders). Nothing was \
                done.
                """,
                rule: "managed-orders")
        }
        do {
            return try OrderRules(issuer: orders.issuer, keys: orders.keys.map { try JSONWebKey(json: Array($0.utf8)) })
        } catch {
            throw CommandFailure(.refused, "The keys for orders cannot be used. \(error)", rule: "managed-orders")
        }
    }
}

extension CommandFailure {
    /// Words and status for an order.
    init(_ failure: OrderFailure) {
        switch failure {
        case .token, .lifetime, .content, .replayed, .outdated:
            self.init(.refused, failure.description, rule: "order")
        case .unreadable(.storeLocked): self.init(.locked, failure.description)
        case .unreadable, .notWritten, .notFinished, .busy, .unavailable: self.init(.failed, failure.description)
        }
    }
}
