import Foundation
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

/// Rules that a system gives to an app as a dictionary (Apple's managed app configuration).
@Suite struct ManagedSourceTests {
    private static func list(_ dictionary: [String: Any]) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0))
    }

    private func file(_ dictionary: [String: Any]?, isForced: Bool = true) throws -> ManagedFile {
        let bytes = try dictionary.map { try Self.list($0) }
        let source = ManagedSource(
            "com.apple.configuration.managed",
            ask: { bytes.map { ManagedSource.Push(propertyList: $0, isForced: isForced) } }, write: { _ in })
        return ManagedFile(source)
    }

    private func problems(_ dictionary: [String: Any]) throws -> [ManagedProblem] {
        ManagedReport(Result { () throws(ManagedFile.Failure) in try self.read(dictionary) }).problems
    }

    private func read(_ dictionary: [String: Any]) throws(ManagedFile.Failure) -> ManagedConfiguration? {
        guard let file = try? file(dictionary) else { return nil }
        return try file.read()
    }

    @Test func `the same rules as the file's, as a dictionary and as JSON in a text`() throws {
        let json = #"{"allowedServers":["a.example"],"session":{"maximumSeconds":3600},"appLock":{"required":true}}"#
        let dictionary: [String: Any] = [
            "allowedServers": ["a.example"], "session": ["maximumSeconds": 3600], "appLock": ["required": true],
        ]
        let expected = try ManagedConfiguration(json: Array(json.utf8))
        #expect(try read(["pavise": dictionary, "theme": "dark"]) == expected)
        #expect(try read(["pavise": json]) == expected)
        #expect(try file(["pavise": dictionary]).found()?.path == "com.apple.configuration.managed")
    }

    @Test func `an app without a dictionary, or with one of its own settings, is not managed`() throws {
        #expect(try file(nil).read() == nil)
        #expect(try read(["theme": "dark", "server": ["port": 8443]]) == nil)
        #expect(try file(["theme": "dark"], isForced: false).read() == nil)
    }

    @Test(arguments: ["Pavise", "PAVISE", "pavis", "paviseRules", "pavice"])
    func `a key that was meant for the rules stops everything`(_ name: String) throws {
        let found = try problems([name: ["renewal": "sameKey"]])
        #expect(found.map(\.code) == [.misspelt] && found.first?.path == name)
    }

    @Test func `rules that no administrator set are refused, whatever they say`() throws {
        let file = try file(["pavise": ["renewal": "sameKey"]], isForced: false)
        #expect(throws: ManagedFile.Failure.notForced("com.apple.configuration.managed")) { try file.read() }
        let broken = try self.file(["pavise": 7], isForced: false)
        #expect(throws: ManagedFile.Failure.notForced("com.apple.configuration.managed")) { try broken.read() }
        let report = ManagedReport(.failure(.notForced("x")))
        #expect(report.status == .refused && report.problems.map(\.code) == [.inaccessible])
    }

    @Test func `values of types that JSON has not are refused with their place`() throws {
        let cases: [(Any, String)] = [
            (Data([1]), "pavise"), (["renewal": Date()], "pavise.renewal"),
            (["preApproved": [["host": Data()]]], "pavise.preApproved[0].host"),
            (["session": ["maximumSeconds": Double.nan]], "pavise.session.maximumSeconds"),
            (true, "pavise"),
        ]
        for (value, place) in cases {
            let found = try problems(["pavise": value])
            #expect(found.map(\.path) == [place] && found.map(\.code) == [.unusableValue], "\(place)")
        }
    }

    @Test func `numbers and Booleans are not mixed up`() throws {
        #expect(try problems(["pavise": ["appLock": ["required": 1]]]).map(\.path) == ["appLock.required"])
        let found = try problems(["pavise": ["session": ["maximumSeconds": true]]])
        #expect(found.map(\.path) == ["session.maximumSeconds"])
        #expect(try read(["pavise": ["session": ["maximumSeconds": 3600.0]]])?.session.maximumSeconds == 3600)
    }

    @Test func `what is nested too deep, or no property list, stops everything and never traps`() throws {
        var deep: Any = "x"
        for _ in 0..<40 { deep = [deep] }
        #expect(try problems(["pavise": ["allowedServers": deep]]).map(\.code) == [.unreadable])
        for bytes in [[], [0], Array("bplist00".utf8), Array("<plist>".utf8)] as [[UInt8]] {
            #expect(throws: ManagedConfiguration.Failure.self) { try ManagedSource.rules(in: bytes) }
        }
    }

    @Test func `the report names places and codes, and no value`() throws {
        let found = Result { () throws(ManagedFile.Failure) in
            try self.read(["pavise": ["renewal": "canary-secret", "sesion": 1, "session": ["rejections": 0]]])
        }
        let report = ManagedReport(found)
        #expect(report.status == .refused)
        #expect(report.problems.map(\.path) == ["renewal", "session.rejections", "sesion"])
        #expect(report.problems.map(\.code) == [.unusableValue, .unusableValue, .unknownKey])
        let bytes = try Self.list(report.propertyList)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
        let rows = try #require(report.propertyList["problems"] as? [[String: String]])
        try #require(rows.count == 3)
        #expect(rows[1]["code"] == "value" && rows[1]["path"] == "session.rejections" && rows[1]["words"] == "1 to 100")
        #expect(report.propertyList["status"] as? String == "refused")
    }

    @Test func `a report of good rules says so, and one is bounded`() throws {
        #expect(ManagedReport(.success(nil)).status == .unmanaged)
        let many = Dictionary(uniqueKeysWithValues: (0..<500).map { ("unknown\($0)", 1) })
        let report = ManagedReport(.success(try read(["pavise": many])))
        #expect(report.status == .used && report.problems.count == ManagedReport.limit)
    }

    @Test func `a report goes to the system that gave the rules, and a file has no such place`() throws {
        let told = Mutex<[ManagedReport]>([])
        let source = ManagedSource("x", ask: { nil }, write: { report in told.withLock { $0.append(report) } })
        let report = ManagedReport(.success(nil))
        ManagedFile(source).tell(report)
        ManagedFile.none.tell(report)
        #expect(told.withLock { $0 } == [report])
    }
}
