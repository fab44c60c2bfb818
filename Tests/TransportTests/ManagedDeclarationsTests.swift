import Foundation
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

/// The channel through which Apple's systems hand over one configuration after the other (ManagedApp), played as its
/// documentation says: a type is decoded, and then comes a value, or none.
@Suite struct ManagedDeclarationsTests {
    /// What the adapter's type does.
    private struct Decoded: Decodable {
        static let channel = CodingUserInfoKey(rawValue: "channel")
        let rules: ManagedConfiguration?

        init(from decoder: any Decoder) throws {
            let key = try #require(Self.channel)
            let channel = try #require(decoder.userInfo[key] as? ManagedDeclarations)
            rules = try channel.decode(decoder)
        }
    }

    private let channel = ManagedDeclarations()

    /// The system gets a configuration from the server.
    @discardableResult
    private func push(_ dictionary: [String: Any]) throws -> (any Error)? {
        let bytes = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
        let decoder = PropertyListDecoder()
        decoder.userInfo[try #require(Decoded.channel)] = channel
        do {
            channel.take(try decoder.decode(Decoded.self, from: bytes).rules)
            return nil
        } catch {
            // Apple's sequence says nothing about why there is no value.
            channel.take(nil)
            return error
        }
    }

    private func source(_ older: [String: Any]? = nil) throws -> ManagedFile {
        let bytes = try older.map {
            [UInt8](try PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0))
        }
        return ManagedFile(
            ManagedSource(
                "older", declarations: channel,
                ask: { bytes.map { ManagedSource.Push(propertyList: $0, isForced: true) } }, write: { _ in }))
    }

    private static let json = #"{"allowedServers":["a.example"],"session":{"maximumSeconds":3600}}"#
    private static var rules: [String: Any] {
        ["allowedServers": ["a.example"], "session": ["maximumSeconds": 3600]]
    }

    @Test func `the rules are those of a file, as a dictionary and as JSON in a text`() throws {
        let file = try ManagedConfiguration(json: Array(Self.json.utf8))
        for value in [Self.rules, Self.json] as [Any] {
            #expect(try push(["pavise": value, "theme": "dark", "picture": Data([1]), "since": Date()]) == nil)
            #expect(channel.standing == .rules(file))
            #expect(try source().read() == file)
        }
        #expect(try push(["theme": "dark"]) == nil && channel.standing == .unmanaged)
        #expect(try source().read() == nil)
    }

    @Test func `no value after a refusal is no freedom from rules`() throws {
        try push(["pavise": Self.rules])
        #expect(try push(["pavise": ["session": ["maximumSeconds": "soon"]]]) is ManagedConfiguration.Failure)
        let file = try source()
        let report = ManagedReport(Result { () throws(ManagedFile.Failure) in try file.read() })
        #expect(report.status == .refused && report.problems.map(\.path) == ["session.maximumSeconds"])
        // The administrator takes the configuration back.
        channel.take(nil)
        #expect(try channel.standing == .unmanaged && source().read() == nil)
    }

    @Test func `a refusal has a number and places, and no value`() throws {
        let cases: [([String: Any], Int)] = [
            (["pavise": ["renewal": "canary-secret"]], 100), (["Pavise": ["renewal": "sameKey"]], 102),
            (["pavise": "{"], 103), (["pavise": 7], 100), (["pavise": ["renewal": Data([1])]], 100),
            (["pavise": ["renewal": "canary-secret", "sesion": 1]], 100),
        ]
        for (dictionary, code) in cases {
            let failure = try #require(try push(dictionary) as? ManagedConfiguration.Failure)
            #expect(failure.report.code == code && !failure.report.message.contains("canary"))
            #expect(!failure.report.message.isEmpty && failure.report.message.count <= 1_000)
        }
        #expect(Set(ManagedProblem.Code.allCases.map(\.number)) == Set(100...104))
    }

    @Test func `numbers and Booleans are not mixed up, and a value without a place in JSON is told by its place`()
        throws
    {
        for (value, place) in [
            (["appLock": ["required": 1]] as [String: Any], "appLock.required"),
            (["session": ["maximumSeconds": true]], "session.maximumSeconds"),
        ] {
            let failure = try #require(try push(["pavise": value]) as? ManagedConfiguration.Failure)
            #expect(failure.problems.map(\.path) == [place])
        }
        let failure = try #require(try push(["pavise": ["renewal": Date()]]) as? ManagedConfiguration.Failure)
        #expect(failure.problems.map(\.path) == ["pavise.renewal"])
    }

    @Test func `what is nested too deep, or has too many elements, is refused`() throws {
        var deep: Any = "x"
        for _ in 0..<40 { deep = [deep] }
        #expect(try push(["pavise": ["allowedServers": deep]]) as? ManagedConfiguration.Failure == .tooLarge)
        let many = (0..<200).map { _ in Array(repeating: "a.example", count: 60) }
        #expect(try push(["pavise": ["allowedServers": many]]) as? ManagedConfiguration.Failure == .tooLarge)
        let fewer = Array(repeating: "a.example", count: 9_000)
        #expect(try push(["pavise": ["allowedServers": fewer]]) == nil)
    }

    @Test func `rules in both channels have to be the same`() throws {
        let both = try source(["pavise": Self.rules])
        #expect(try both.read() != nil)
        try push(["pavise": Self.rules])
        #expect(try both.read()?.session.maximumSeconds == 3600)
        try push(["pavise": ["session": ["maximumSeconds": 60]]])
        #expect(throws: ManagedFile.Failure.self) { try both.read() }
        channel.take(nil)
        #expect(try both.read()?.session.maximumSeconds == 3600)
    }

    @Test func `whoever waits goes on with the first value, and a wait that is cancelled ends`() async throws {
        let file = try source()
        let cancelled = Task { await file.ready() }
        cancelled.cancel()
        await cancelled.value
        #expect(channel.standing == .awaited)
        let waiting = (0..<3).map { _ in
            Task {
                await file.ready()
                return channel.standing
            }
        }
        try push(["pavise": Self.rules])
        for task in waiting { #expect(await task.value != .awaited) }
        await file.ready()
        await ManagedFile.none.ready()
    }

    @Test func `each change is told once, until the observer has enough`() throws {
        let told = Mutex(0)
        let file = try source()
        file.observe {
            told.withLock { count in
                count += 1
                return count < 3
            }
        }
        for seconds in [60, 60, 70, 80, 90] { try push(["pavise": ["session": ["maximumSeconds": seconds]]]) }
        #expect(told.withLock { $0 } == 3)
    }
}
