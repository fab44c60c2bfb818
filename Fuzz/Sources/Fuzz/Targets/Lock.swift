internal import PaviseAppLock
internal import PavisePrimitives
internal import PaviseValidation

@testable internal import PaviseDevice

extension FuzzTarget {
    /// What a person types, what another app sends, and what is read back of the app lock.
    static let lock = [
        lockRecord, entangledCode, orderLedger, pin, passphrase, email, passwords, durations, deepLink, typedAnswers,
    ]

    private static let lockRecord = FuzzTarget(
        "lock-record", seeds: { [sampleRecord.encoded, endedRecord.encoded] },
        run: { bytes in
            guard let record = LockRecord(bytes) else { return }
            require(LockRecord(record.encoded) == record, "a record changes when it is written again")
            let now = ClockReading(wall: 0, continuous: 0, boot: "fuzz")
            var machine = AppLockMachine(.standard)
            _ = machine.handle(.opened(.present(record.attempts, nil), now))
            require(!machine.seen(now).isOpen, "a stored count opens")
        })

    private static let entangledCode = FuzzTarget(
        "entangled-code",
        seeds: { [[1, 0, 0, 0, 8, 0, 0, 0, 1] + [0, 0, 0, 16] + [UInt8](repeating: 7, count: 16) + [0, 0, 0, 0]] },
        run: { bytes in
            guard let code = PINKeyDerivationRecord(bytes) else { return }
            require(PINKeyDerivationRecord(code.encoded) == code, "a code's record changes when it is written again")
        })

    private static let pin = FuzzTarget(
        "pin", seeds: { ["830597", "٨٣٠٥٩٧", "1234", "𝟖𝟑𝟎𝟓"].map { Array($0.utf8) } },
        run: { bytes in
            let typed = SecretBytes(copying: bytes.span)
            guard let digits = try? PINRule.standard.digits(in: typed) else { return }
            let isASCII = digits.withBytes { span in span.indices.allSatisfy { (0x30...0x39).contains(span[$0]) } }
            require(isASCII && PINRule.possible.contains(digits.count), "a PIN is no PIN")
            try? PINRule.standard.checkNew(digits)
        })

    private static let passphrase = FuzzTarget(
        "passphrase", seeds: { ["teapot case 8", "Zwo\u{308}lf ٨٣", "ｔｅａ \u{FDFA}"].map { Array($0.utf8) } },
        run: { bytes in
            let rule = PassphraseRule.standard
            guard let text = try? rule.text(in: SecretBytes(copying: bytes.span)) else { return }
            require((1...4 * PassphraseRule.most).contains(text.count), "a passphrase beyond its bound")
            guard let again = try? rule.text(in: text) else {
                require(false, "the form of a passphrase is none")
                return
            }
            require(again.matches(text), "the form of a form is another one")
            try? rule.checkNew(text)
        })

    private static let orderLedger = FuzzTarget(
        "order-ledger",
        seeds: {
            [
                OrderLedger(identity: [UInt8](repeating: 3, count: 16)).encoded,
                [1, 0, 0, 0, 16] + [UInt8](repeating: 3, count: 16) + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 1]
                    + [0, 0, 0, 1, 0x61] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 4] + Array("wipe".utf8)
                    + [0, 0, 0, 4] + Array("done".utf8) + [UInt8](repeating: 0, count: 8),
            ]
        },
        run: { bytes in
            guard let ledger = OrderLedger(bytes) else { return }
            require(OrderLedger(ledger.encoded) == ledger, "a ledger changes when it is written again")
        })

    private static let email = FuzzTarget(
        text: "email", seeds: ["ada@example.org", "\"a\\\"b\"@[IPv6:::1]", "o'neil+x@mail.example.co.uk"],
        run: { text in
            if let address = try? EmailAddress(text) {
                require(
                    (try? EmailAddress(address.description)) == address, "an address is another one when read again")
                require((try? EmailAddress(addrSpec: address.description)) == address, "everyday, and no addr-spec")
                require(address.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a blank in an address")
            }
            _ = try? EmailAddress(addrSpec: text)
        })

    private static let passwords = FuzzTarget(
        "password", seeds: { ["staple horse battery", "aaaaaaaaaaaaaaaa"].map { Array($0.utf8) } },
        run: { try? PasswordPolicy(words: ["ada"]).check(SecretBytes(copying: $0.span)) })

    private static let durations = FuzzTarget(
        text: "duration", seeds: ["1h30m", "01:30", "90", "24 hours"],
        run: { text in
            guard let time = try? DurationText(text) else { return }
            require((.zero...DurationText.most).contains(time.duration), "a time beyond a day")
        })

    private static let links = DeepLinks<Int>([
        .init(1, scheme: "https", host: "a.example", path: "/x/:id", query: ["q"]),
        .init(2, scheme: "app", host: "open", path: "/:a/:b"),
    ])

    private static let deepLink = FuzzTarget(
        text: "deep-link", seeds: ["https://a.example/x/1?q=2", "app://open/%41/b", "https://a.example:443@b/x/1"],
        run: { text in
            guard let link = try? links.read(text) else { return }
            let lower = text.lowercased()
            let expected = link.target == 1 ? "https://a.example/x/" : "app://open/"
            require(lower.hasPrefix(expected), "a link of another place: \(text)")
            for name in ["id", "a", "b"] {
                guard let value = link[name] else { continue }
                let isHarmless = !value.isEmpty && value != ".." && !value.contains("/") && !value.contains("\\")
                require(isHarmless, "a step in a segment: \(text)")
            }
        })

    private static let typedAnswers = FuzzTarget(
        text: "typed-answer", seeds: [#"{"a":"b","n":1,"l":[{"a":"x"}],"o":{"f":true}}"#],
        run: { text in
            guard let answer = try? AnswerReader(Array(text.utf8)) else { return }
            if let value = try? answer.text("a", 0...4) { require(value.utf8.count <= 4, "a text beyond its bound") }
            if let value = try? answer.integer("n", -5...5) {
                require((-5...5).contains(value), "a number beyond its bound")
            }
            if let list = try? answer.objects("l", atMost: 3) { require(list.count <= 3, "a list beyond its bound") }
            _ = try? answer.object("o").flag("f")
        })

    private static let sampleRecord: LockRecord = {
        var record = LockRecord(
            identity: [UInt8](repeating: 3, count: 16), code: [1, 2, 3], wrapped: [UInt8](repeating: 4, count: 60),
            check: [UInt8](repeating: 5, count: 28))
        let now = ClockReading(wall: 1_900_000_000_000, continuous: 3_600_000, boot: "fuzz")
        record.use = .init(since: now, last: now)
        return record
    }()

    private static let endedRecord: LockRecord = {
        var record = sampleRecord
        record.use = nil
        record.ending = .begun(.wipe)
        record.retiring = [9]
        return record
    }()
}
