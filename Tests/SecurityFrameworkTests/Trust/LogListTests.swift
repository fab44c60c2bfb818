import Foundation
import PaviseCrypto
import PavisePrimitives
import SecurityFramework
import Testing

/// Lists of certificate logs, version 3 of the form that is published for browsers.
@Suite struct `Lists of certificate logs` {
    private static let key = Base64.encode([1, 2, 3])
    private static let identifier = Base64.encode(Hash.digest(.sha256, [1, 2, 3]))

    private static func log(_ more: String = "", key: [UInt8] = [1, 2, 3]) -> String {
        """
        {"description": "Log", "log_id": "\(Base64.encode(Hash.digest(.sha256, key)))", "key": "\(Base64.encode(key))",
         "mmd": 86400, "url": "https://log.example/"\(more)}
        """
    }

    private static func list(_ logs: [String], head: String = "", tiled: [String] = []) -> String {
        """
        {"version": "50.1", \(head) "operators": [{"name": "Lab", "email": ["a@log.example"], "unknown": {"a": [1]},
         "logs": [\(logs.joined(separator: ","))], "tiled_logs": [\(tiled.joined(separator: ","))]}]}
        """
    }

    private static func read(_ text: String) throws(LogListFailure) -> TransparencyLogList {
        try TransparencyLogList(json: Array(text.utf8))
    }

    @Test(
        arguments: [
            (#""usable": {"timestamp": "2024-01-01T00:00:00Z"}"#, .current),
            (#""qualified": {"timestamp": "2024-01-01T00:00:00Z"}"#, .current),
            (
                #""readonly": {"timestamp": "2024-01-01T00:00:00.750Z", "final_tree_head": {"tree_size": 9}}"#,
                .readOnly(since: 1_704_067_200)
            ),
            (#""retired": {"timestamp": "2024-02-29T23:59:59Z"}"#, .retired(since: 1_709_251_199)),
            (#""rejected": {"timestamp": "2024-01-01T00:00:00Z"}"#, nil),
            (#""pending": {"timestamp": "2024-01-01T00:00:00Z"}"#, nil),
            (#""of the future": {}"#, nil),
        ] as [(String, TransparencyLog.State?)])
    func `a log counts as its state says`(_ state: String, _ expected: TransparencyLog.State?) throws {
        let logs = try Self.read(Self.list([Self.log(#", "state": {\#(state)}"#)])).logs
        #expect(logs.map(\.state) == (expected.map { [$0] } ?? []))
    }

    @Test func `operator, key, span and kind are read, and what is not known is passed over`() throws {
        let span =
            #", "temporal_interval": {"start_inclusive": "2026-01-01T00:00:00Z", "#
            + #""end_exclusive": "2026-07-01T00:00:00Z"}"#
        let head = #""log_list_timestamp": "2026-11-20T12:00:00Z", "more": null,"#
        let list = try Self.read(
            Self.list([Self.log(span)], head: head, tiled: [Self.log(#", "log_type": "prod""#, key: [9])]))
        #expect(list.date == 1_795_176_000 && list.isFresh(at: 1_795_176_000 + 60 * 86_400))
        #expect(list.logs.map(\.operatorName) == ["Lab", "Lab"] && list.logs.map(\.isClassic) == [true, false])
        #expect(list.logs[0].spki == [1, 2, 3] && list.logs[0].shard == 1_767_225_600..<1_782_864_000)
        #expect(list.logs[1].shard == nil)
        #expect(try Self.read(Self.list([Self.log(#", "log_type": "test""#)])).logs.isEmpty)
        #expect(try Self.read(Self.list([])).date == nil)
    }

    @Test(
        arguments: [
            ("[]", .noOperators), ("{", .json(.malformed(offset: 1))),
            (#"{"operators": [{"logs": []}]}"#, .noOperators),
            (list([#"{"description": "Log"}"#]), .field(log: "Log", name: "key")),
            (list([#"{"description": "Log", "key": "\#(key)", "log_id": "AAAA"}"#]), .wrongIdentifier(log: "Log")),
            (list([log(), log()]), .repeated(log: "Log")),
            (list([log(#", "state": {"retired": {}}"#)]), .field(log: "Log", name: "state.retired.timestamp")),
            (list([log(#", "state": {}"#)]), .field(log: "Log", name: "state")),
            (list([log(#", "state": "usable""#)]), .field(log: "Log", name: "state")),
            (list([log(#", "temporal_interval": {}"#)]), .field(log: "Log", name: "temporal_interval")),
            (list([], head: #""log_list_timestamp": "yesterday","#), .timestamp),
            (list([], head: #""log_list_timestamp": 5,"#), .timestamp),
            (
                #"{"operators": [\#([String](repeating: #"{"name": "a"}"#, count: 4_097).joined(separator: ","))]}"#,
                .tooMany(limit: 4_096)
            ),
        ] as [(String, LogListFailure)])
    func `what is no list, or a log that cannot be what it says, is refused`(
        _ text: String, _ failure: LogListFailure
    ) {
        #expect(throws: failure) { try Self.read(text) }
    }

    @Test(
        arguments: [
            "2026-11-22T08:00:00", "2026-11-22 08:00:00Z", "2026-13-22T08:00:00Z", "2026-11-22T08:00:00.Z",
            "2026-11-22T24:00:00Z", "+026-11-22T08:00:00Z", "2026-11-22T08:00:00+01:00", "", "Z",
        ])
    func `a time in another form is no time`(_ time: String) {
        #expect(throws: LogListFailure.timestamp) {
            try Self.read(Self.list([], head: #""log_list_timestamp": "\#(time)","#))
        }
    }

    @Test(arguments: [.rsa(bits: 2048), .ec256] as [IssuingKey.Kind])
    func `a list is read when its maker signed it, and not a byte of it otherwise`(_ kind: IssuingKey.Kind) throws {
        let maker = try IssuingKey(generating: kind)
        let list = Array(Self.list([Self.log()]).utf8)
        let signature = try maker.sign(list)
        func read(_ list: [UInt8], _ signature: [UInt8], _ maker: [UInt8]) -> Result<Int, LogListFailure> {
            Result { () throws(LogListFailure) in
                try TransparencyLogList(json: list, signature: signature, maker: maker).logs.count
            }
        }
        let armoured = PEM.text("PUBLIC KEY", maker.spki)
        #expect(read(list, signature, maker.spki) == .success(1))
        #expect(read(list, signature, Array(armoured.utf8)) == .success(1))
        #expect(read(list + [0x20], signature, maker.spki) == .failure(.signature))
        #expect(read(Array("[]".utf8), signature, maker.spki) == .failure(.signature))
        #expect(read(list, [], maker.spki) == .failure(.signature))
        var broken = signature
        broken[broken.count - 1] ^= 1
        #expect(read(list, broken, maker.spki) == .failure(.signature))
        #expect(read(list, signature, try IssuingKey(generating: kind).spki) == .failure(.signature))
        #expect(read(list, signature, []) == .failure(.key))
        #expect(read(list, signature, Array((armoured + armoured).utf8)) == .failure(.key))
        // A good signature does not make a list.
        #expect(read(Array("[]".utf8), try maker.sign(Array("[]".utf8)), maker.spki) == .failure(.noOperators))
    }

    @Test func `logs of a list vouch for a chain, and are counted`() throws {
        let logs = [try `Timestamps in chains`.Log(), try `Timestamps in chains`.Log()]
        let chain = try `Timestamps in chains`.chain(logs)
        func verdict(_ states: [String]) throws -> (codes: [Int32], count: TransparencyCount?) {
            let entries = zip(logs, states).map { Self.log(#", "state": {\#($1)}"#, key: $0.key.spki) }
            let demand = TransparencyDemand(logs: try Self.read(Self.list(entries)))
            var request = TrustFixture.request(chain, origin: .system)
            request.transparency = demand
            let verdict = ServerTrust.evaluate(request)
            return (
                verdict.failures.map(\.code),
                TransparencyCount(path: verdict.path, demand: demand, at: TrustFixture.now)
            )
        }
        let usable = #""usable": {"timestamp": "2024-01-01T00:00:00Z"}"#
        let good = try verdict([usable, usable])
        #expect(good.codes.isEmpty && good.count?.qualified == 2 && good.count?.operators == 1)
        #expect(try verdict([usable, #""rejected": {}"#]).codes == [-67825])
        let retired = #""retired": {"timestamp": "2030-03-17T17:46:39Z"}"#
        #expect(try verdict([usable, retired]).codes.isEmpty)
        let retiredBefore = #""retired": {"timestamp": "2030-03-17T17:44:00Z"}"#
        #expect(try verdict([usable, retiredBefore]).codes == [-67825])
    }
}
