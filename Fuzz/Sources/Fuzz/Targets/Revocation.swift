internal import PaviseCrypto
internal import PavisePrimitives
internal import SecurityFramework

extension FuzzTarget {
    static let revocation = [revocationList, statusAnswer, timestamps, logList, pathSearch]

    // The seeds are the shapes alone: what a stranger sends need not be signed to be read.
    private static let revocationList = FuzzTarget(
        "revocation-list", seeds: { [Seeds.list] },
        run: { bytes in
            guard let list = RevocationList(der: bytes) else { return }
            _ = try? list.entry([1, 2, 3])
            require(list.der == bytes, "bytes behind the list are read as part of it")
        })

    private static let statusAnswer = FuzzTarget(
        "status-answer", seeds: { [Seeds.answer] },
        run: { bytes in
            guard let answer = OCSPResponse(der: bytes) else { return }
            require(answer.statuses.count <= 1_000 && answer.certificates.count <= 16, "more than the limit is read")
            for list in answer.statuses.compactMap(\.timestamps) { _ = SignedCertificateTimestamp.list(list) }
        })

    private static let timestamps = FuzzTarget(
        "timestamps", seeds: { [Seeds.timestamps, [0, 1, 0], []] },
        run: { bytes in
            let list = SignedCertificateTimestamp.list(bytes[...]) ?? []
            require(list.count <= SignedCertificateTimestamp.limit, "more than the limit is read")
            for timestamp in list {
                _ = timestamp.signedBytes(.certificate([1]))
                require(!timestamp.isSigned(bySPKI: [1, 2], over: .certificate([1])), "no key signed it")
            }
        })

    private static let logList = FuzzTarget(
        "log-list", seeds: { Seeds.logLists.map { Array($0.utf8) } },
        run: { bytes in
            guard let list = try? TransparencyLogList(json: bytes) else { return }
            require(list.logs.count <= TransparencyLogList.maximumEntries, "more than the limit is read")
            require(Set(list.logs.map(\.identifier)).count == list.logs.count, "a log is there twice")
            require(list.logs.allSatisfy { $0.shard.map { !$0.isEmpty } ?? true }, "a span without a second")
        })

    // Each byte is an edge between two of sixteen authorities: entangled sets must end within the limits.
    private static let pathSearch = FuzzTarget(
        "path-search",
        seeds: {
            // Without the authorities no input would search anything.
            _ = try Web.shared.get()
            return [[0x10, 0x01, 0x12, 0x21], Array(0...255)]
        },
        run: { bytes in
            guard let web = try? Web.shared.get() else { return }
            let others = bytes.prefix(64).map { web.cross[Int($0 >> 4)][Int($0 & 15)] }
            let verdict = ServerTrust.evaluate(
                chain: [web.leaf] + others, host: "a.example", at: Web.seconds, anchors: .none)
            require(!verdict.isTrusted && !verdict.failures.isEmpty, "trusted without an anchor")
        })
}

/// Sixteen authorities that have certified each other, and a leaf of the first.
private struct Web {
    static let seconds: Int64 = 1_790_000_000
    static let shared = Result { try Web() }
    let leaf: [UInt8]
    /// By subject, then by issuer.
    let cross: [[[UInt8]]]

    private init() throws {
        let keys = try (0..<16).map { _ in try IssuingKey(generating: .ec256) }
        func template(_ name: String, _ constraints: String) -> CertificateTemplate {
            CertificateTemplate(
                subject: name, serial: [1], notBefore: Self.seconds - 100, notAfter: Self.seconds + 100, hash: .sha256,
                extensions: [.init("basicConstraints", constraints)])
        }
        let roots = try keys.enumerated().map { index, key in
            try CertificateIssuing.issue(
                template("Authority \(index)", "critical,CA:TRUE"), for: key, issuer: nil, issuerKey: key)
        }
        cross = try keys.indices.map { subject in
            try keys.indices.map { issuer in
                try CertificateIssuing.issue(
                    template("Authority \(subject)", "critical,CA:TRUE"), for: keys[subject], issuer: roots[issuer],
                    issuerKey: keys[issuer])
            }
        }
        leaf = try CertificateIssuing.issue(
            template("Leaf", "CA:FALSE"), for: IssuingKey(generating: .ec256), issuer: roots[0], issuerKey: keys[0])
    }
}

/// Whole structures with signatures of one byte.
private enum Seeds {
    static let logLists: [String] = {
        let key = Base64.encode([1, 2, 3])
        let head = #"{"log_list_timestamp": "2026-11-20T12:00:00Z", "operators": [{"name": "a", "logs": ["#
        let log = #"{"log_id": "\#(Base64.encode(Hash.digest(.sha256, [1, 2, 3])))", "key": "\#(key)""#
        let state = #", "state": {"readonly": {"timestamp": "2024-01-01T00:00:00.5Z"}}"#
        let span =
            #", "temporal_interval": {"start_inclusive": "2024-01-01T00:00:00Z", "#
            + #""end_exclusive": "2025-01-01T00:00:00Z"}}"#
        return [#"{"operators": []}"#, head + log + state + span + "]}]}", head + log + "}], \"tiled_logs\": []}]}"]
    }()

    private static func sequence(_ parts: [UInt8]...) -> [UInt8] { DEREncoding.element(0x30, Array(parts.joined())) }
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { DEREncoding.element(tag, content) }
    private static let algorithm = sequence([6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
    private static let signature = element(3, [0, 1])
    private static let name = sequence(element(0x31, sequence([6, 3, 0x55, 4, 3], element(0x0C, Array("A".utf8)))))
    private static let time = element(0x18, Array("20270101000000Z".utf8))

    static let list: [UInt8] = {
        let number = sequence([6, 3, 0x55, 0x1D, 20], element(4, [2, 1, 7]))
        let key = sequence([6, 3, 0x55, 0x1D, 35], element(4, sequence(element(0x80, [1, 2]))))
        let scope = sequence([6, 3, 0x55, 0x1D, 28], [1, 1, 0xFF], element(4, sequence(element(0x81, [0xFF]))))
        let reason = sequence(sequence([6, 3, 0x55, 0x1D, 21], element(4, [0x0A, 1, 1])))
        let entry = sequence([2, 1, 5], time, reason)
        let body = sequence(
            [2, 1, 1], algorithm, name, time, time, sequence(entry), element(0xA0, sequence(number, key, scope)))
        return sequence(body, algorithm, signature)
    }()

    static let answer: [UInt8] = {
        let identifier = sequence(
            sequence([6, 5, 0x2B, 0x0E, 3, 2, 0x1A]), element(4, [1]), element(4, [2]), [2, 1, 5])
        let stamps = sequence([6, 10, 0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 5], element(4, element(4, timestamps)))
        let single = sequence(identifier, [0x80, 0], time, element(0xA0, time), element(0xA1, sequence(stamps)))
        let body = sequence(element(0xA2, element(4, [1])), time, sequence(single))
        let basic = sequence(body, algorithm, signature)
        let typed = sequence([6, 9, 0x2B, 6, 1, 5, 5, 7, 0x30, 1, 1], element(4, basic))
        return sequence([0x0A, 1, 0], element(0xA0, typed))
    }()

    static let timestamps: [UInt8] = {
        let one = [0] + [UInt8](repeating: 7, count: 32) + [UInt8](repeating: 1, count: 8) + [0, 0, 4, 3, 0, 1, 9]
        return [0, UInt8(one.count + 2), 0, UInt8(one.count)] + one
    }()
}
