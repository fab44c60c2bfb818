import PaviseCrypto
import SecurityFramework
import Testing

/// The numbers of logs, both sides of each boundary.
@Suite struct `How many logs must vouch` {
    static let day: Int64 = 86_400
    static let spring2021: Int64 = 1_618_963_200

    private static func required(_ start: Int64, _ seconds: Int64) -> Int {
        TransparencyRule(validity: start...start + seconds, at: start).required
    }

    @Test func `since April 2021 the seconds count`() {
        let start = Self.spring2021
        #expect(Self.required(start, 180 * Self.day) == 2 && Self.required(start, 180 * Self.day + 1) == 3)
        #expect(Self.required(start, 825 * Self.day) == 3 && Self.required(start, 825 * Self.day + 1) == 4)
    }

    @Test func `before, the whole months of the calendar`() {
        let start = Self.spring2021 - 1
        #expect(Self.required(start, 180 * Self.day + 1) == 2)
        // 2019-01-15T00:00:00Z and the same day 15, 28 and 40 months later.
        let january: Int64 = 1_547_510_400
        let edges: [(Int64, Int, Int)] = [(1_586_908_800, 2, 3), (1_621_036_800, 3, 4), (1_652_572_800, 4, 5)]
        for (end, fewer, more) in edges {
            #expect(Self.required(january, end - january - 1) == fewer)
            #expect(Self.required(january, end - january) == more)
        }
    }

    private static func log(
        _ name: UInt8, _ state: TransparencyLog.State = .current, shard: Range<Int64>? = nil
    ) -> TransparencyLog {
        TransparencyLog(spki: [name], operatorName: "Operator \(name)", state: state, shard: shard)
    }

    private static func count(_ timestamps: [TransparencyRule.Timestamp]) -> TransparencyCount {
        TransparencyRule(validity: 1_800_000_000...1_800_000_000 + 90 * day, at: 1_800_086_400).count(timestamps)
    }

    private static func inside(_ log: TransparencyLog, at seconds: Int64 = 1_800_000_000) -> TransparencyRule.Timestamp
    {
        .init(log: log, milliseconds: UInt64(seconds) * 1_000, isEmbedded: true)
    }

    private static func outside(_ log: TransparencyLog, at seconds: Int64 = 1_800_000_000) -> TransparencyRule.Timestamp
    {
        .init(log: log, milliseconds: UInt64(seconds) * 1_000, isEmbedded: false)
    }

    @Test func `two logs inside are enough for ninety days, one is not, and one log counts once`() {
        #expect(Self.count([Self.inside(Self.log(1)), Self.inside(Self.log(2))]).isEnough)
        #expect(!Self.count([Self.inside(Self.log(1))]).isEnough)
        #expect(!Self.count([Self.inside(Self.log(1)), Self.inside(Self.log(1), at: 1_800_000_001)]).isEnough)
        #expect(!Self.count([]).isEnough)
    }

    @Test func `one current log outside and two in all are enough`() {
        #expect(Self.count([Self.outside(Self.log(1)), Self.outside(Self.log(2))]).isEnough)
        #expect(Self.count([Self.outside(Self.log(1)), Self.inside(Self.log(2))]).isEnough)
        #expect(!Self.count([Self.outside(Self.log(1))]).isEnough)
        #expect(!Self.count([Self.outside(Self.log(1)), Self.inside(Self.log(1))]).isEnough)
    }

    @Test func `a retired log counts inside, when it and the first current log promised before its end`() {
        let end: Int64 = 1_800_000_100
        let retired = Self.log(2, .retired(since: end))
        func isEnough(retired at: Int64, current: Int64) -> Bool {
            Self.count([Self.inside(Self.log(1), at: current), Self.inside(retired, at: at)]).isEnough
        }
        #expect(isEnough(retired: end - 1, current: end - 1))
        #expect(!isEnough(retired: end, current: end - 1) && !isEnough(retired: end - 1, current: end))
        #expect(!Self.count([Self.inside(retired), Self.inside(Self.log(3, .retired(since: end)))]).isEnough)
        #expect(!Self.count([Self.outside(Self.log(1)), Self.outside(retired)]).isEnough)
    }

    @Test func `a log that takes no more counts up to that second`() {
        let log = Self.log(2, .readOnly(since: 1_800_000_000))
        #expect(Self.count([Self.inside(Self.log(1)), Self.inside(log)]).isEnough)
        #expect(!Self.count([Self.inside(Self.log(1)), Self.inside(log, at: 1_800_000_001)]).isEnough)
    }

    @Test func `a promise from the future or for another year does not count`() {
        let end: Int64 = 1_800_000_000 + 90 * Self.day
        #expect(Self.count([Self.inside(Self.log(1)), Self.inside(Self.log(2), at: 1_800_086_400)]).isEnough)
        #expect(!Self.count([Self.inside(Self.log(1)), Self.inside(Self.log(2), at: 1_800_086_401)]).isEnough)
        #expect(Self.count([Self.inside(Self.log(1)), Self.inside(Self.log(2, shard: 0..<end + 1))]).isEnough)
        #expect(!Self.count([Self.inside(Self.log(1)), Self.inside(Self.log(2, shard: 0..<end))]).isEnough)
    }

    @Test func `operators are counted beside`() {
        let same = TransparencyLog(spki: [9], operatorName: "Operator 1")
        let count = Self.count([Self.inside(Self.log(1)), Self.inside(same)])
        #expect(count.isEnough && count.operators == 1 && count.hasClassic)
    }
}

/// Timestamps of logs that the tests run themselves, in real certificates.
@Suite struct `Timestamps in chains` {
    /// A log with its key.
    struct Log {
        let key: IssuingKey
        var entry: TransparencyLog { TransparencyLog(spki: key.spki, operatorName: "Lab") }

        init() throws { key = try IssuingKey(generating: .ec256) }

        func promise(
            _ entry: SignedCertificateTimestamp.Entry, at seconds: Int64 = TrustFixture.now - 100
        ) throws -> [UInt8] {
            let time = UInt64(seconds) * 1_000
            let stamp = (0..<8).reversed().map { UInt8(time >> (8 * $0) & 255) }
            let head = [0] + Hash.digest(.sha256, key.spki) + stamp
            let form = try #require(SignedCertificateTimestamp((head + [0, 0, 4, 3, 0, 1, 0])[...]))
            let signature = try key.sign(form.signedBytes(entry))
            return head + [0, 0, 4, 3, 0, UInt8(signature.count)] + signature
        }
    }

    static func list(_ timestamps: [[UInt8]]) -> [UInt8] {
        let content = timestamps.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
        return [UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }

    static func hex(_ bytes: [UInt8]) -> String {
        "DER:" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A chain whose leaf holds promises of these logs; `change` may spoil them.
    static func chain(_ logs: [Log], _ change: ([UInt8]) -> [UInt8] = { $0 }) throws -> TrustFixture.Chain {
        let chain = try TrustFixture().chain()
        var template = TrustFixture().leaf
        func issue(_ list: [UInt8]) throws -> [UInt8] {
            template.set("1.3.6.1.4.1.11129.2.4.2", hex(DERWriting.octets(list)))
            return try CertificateIssuing.issue(
                template, for: chain.leafKey, issuer: chain.middle, issuerKey: chain.middleKey)
        }
        let draft = try X509Certificate(der: try issue([0, 1, 0]))
        let issuer = try X509Certificate(der: chain.middle)
        let entry = try #require(SignedCertificateTimestamp.Entry.inside(draft, issuer: issuer))
        let leaf = try issue(change(list(try logs.map { try $0.promise(entry) })))
        return TrustFixture.Chain(
            root: chain.root, middle: chain.middle, leaf: leaf, rootKey: chain.rootKey, middleKey: chain.middleKey,
            leafKey: chain.leafKey)
    }

    static func gap(
        _ chain: TrustFixture.Chain, _ logs: [Log], date: Int64? = nil, presented: [[UInt8]] = [],
        origin: TrustAnchors.Origin = .system, scope: TransparencyDemand.Scope = .publicAuthorities
    ) -> [Int32] {
        var request = TrustFixture.request(chain, origin: origin)
        request.transparency = TransparencyDemand(
            logs: TransparencyLogList(logs.map(\.entry), date: date), presented: presented, scope: scope)
        return ServerTrust.evaluate(request).failures.map(\.code)
    }

    @Test func `promises of two known logs inside are enough; of one, of strangers or spoiled they are not`() throws {
        let logs = [try Log(), try Log()]
        let chain = try Self.chain(logs)
        #expect(Self.gap(chain, logs).isEmpty)
        #expect(Self.gap(chain, [logs[0]]) == [-67825])
        #expect(Self.gap(chain, []) == [-67825])
        let spoiled = try Self.chain(logs) { list in
            var list = list
            list[list.count - 3] ^= 1
            return list
        }
        #expect(Self.gap(spoiled, logs) == [-67825])
        #expect(Self.gap(try TrustFixture().chain(), logs) == [-67825])
    }

    @Test func `promises in the handshake are over the certificate itself`() throws {
        let logs = [try Log(), try Log()]
        let chain = try TrustFixture().chain()
        let list = Self.list(try logs.map { try $0.promise(.certificate(chain.leaf)) })
        #expect(Self.gap(chain, logs, presented: [list]).isEmpty)
        let other = Self.list(try logs.map { try $0.promise(.certificate(chain.middle)) })
        #expect(Self.gap(chain, logs, presented: [other]) == [-67825])
    }

    /// The findings where a stapled answer about the leaf, or about `other`, brings `list` along.
    private static func gap(
        stapled list: [UInt8], about other: [UInt8]? = nil, _ chain: TrustFixture.Chain, _ logs: [Log]
    ) throws -> [Int32] {
        let answer = try OCSPIssuing.answer(
            about: other ?? chain.leaf, of: chain.middle, key: chain.middleKey, isRevoked: false,
            from: TrustFixture.now - 60, to: TrustFixture.now + 60, timestamps: list)
        var request = TrustFixture.request(chain, origin: .system)
        request.evidence = RevocationEvidence(lists: [], answers: [answer])
        request.transparency = TransparencyDemand(logs: TransparencyLogList(logs.map(\.entry), date: nil))
        let verdict = ServerTrust.evaluate(request)
        let count = TransparencyCount(
            path: verdict.path, demand: try #require(request.transparency), evidence: request.evidence,
            at: TrustFixture.now)
        #expect(count?.isEnough == verdict.failures.isEmpty)
        return verdict.failures.map(\.code)
    }

    @Test func `promises in a stapled answer about the certificate count like those of the handshake`() throws {
        let logs = [try Log(), try Log()]
        let chain = try TrustFixture().chain()
        let list = Self.list(try logs.map { try $0.promise(.certificate(chain.leaf)) })
        #expect(try Self.gap(stapled: list, chain, logs).isEmpty)
        #expect(try Self.gap(stapled: [], chain, logs) == [-67825])
        #expect(try Self.gap(stapled: Array(list.dropLast()), chain, logs) == [-67825])
        #expect(try Self.gap(stapled: list, chain, [logs[0]]) == [-67825])
    }

    @Test func `a stapled answer about another certificate, or promises about one, count for nothing`() throws {
        let logs = [try Log(), try Log()]
        let chain = try TrustFixture().chain()
        let own = Self.list(try logs.map { try $0.promise(.certificate(chain.leaf)) })
        var template = TrustFixture().leaf
        template.serial = [7, 7]
        let sister = try CertificateIssuing.issue(
            template, for: chain.leafKey, issuer: chain.middle, issuerKey: chain.middleKey)
        #expect(try Self.gap(stapled: own, about: sister, chain, logs) == [-67825])
        let other = Self.list(try logs.map { try $0.promise(.certificate(sister)) })
        #expect(try Self.gap(stapled: other, chain, logs) == [-67825])
    }

    @Test func `a certificate with promises of another certificate's body is refused`() throws {
        let logs = [try Log(), try Log()]
        let hash = [UInt8](repeating: 1, count: 32)
        let entry = SignedCertificateTimestamp.Entry.withoutTimestamps(issuerKeyHash: hash, body: [])
        let stolen = Self.list(try logs.map { try $0.promise(entry) })
        #expect(Self.gap(try Self.chain(logs) { _ in stolen }, logs) == [-67825])
    }

    @Test func `own roots are not asked, unless every server is`() throws {
        let chain = try TrustFixture().chain()
        #expect(Self.gap(chain, [], origin: .application).isEmpty)
        #expect(Self.gap(chain, [], origin: .administrator).isEmpty)
        #expect(Self.gap(chain, [], origin: .application, scope: .everyServer) == [-67825])
    }

    @Test func `a list of logs counts for sixty days`() throws {
        let chain = try TrustFixture().chain()
        let edge = TrustFixture.now - 60 * TrustFixture.day
        #expect(Self.gap(chain, [], date: edge) == [-67825] && Self.gap(chain, [], date: edge - 1).isEmpty)
        let logs = [try Log(), try Log()]
        #expect(Self.gap(try Self.chain(logs), logs, date: edge - 1, scope: .everyServer) == [-67825])
    }

    @Test func `lists are read to the last byte`() throws {
        let log = try Log()
        let one = try log.promise(.certificate([1]))
        let good = Self.list([one, one])
        #expect(SignedCertificateTimestamp.list(good[...])?.count == 2)
        for count in good.indices { #expect(SignedCertificateTimestamp.list(good.prefix(count)) == nil) }
        #expect(SignedCertificateTimestamp.list((good + [0])[...]) == nil)
        #expect(SignedCertificateTimestamp.list([0, 0]) == nil)
        #expect(SignedCertificateTimestamp.list(Self.list([one + [0]])[...])?.isEmpty == true)
        #expect(SignedCertificateTimestamp.list(Self.list([[1] + one.dropFirst()])[...])?.isEmpty == true)
        #expect(SignedCertificateTimestamp.list(Self.list(Array(repeating: [1], count: 65))[...]) == nil)
    }
}
