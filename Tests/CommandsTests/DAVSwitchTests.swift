import PaviseCommands
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseLabCommands

/// `pavise-lab files --switch`: what the lab's WebDAV server does otherwise than it should.
@Suite struct DAVSwitchTests {
    private static func facts(_ switches: DAVServer.Switches) -> [String: String] {
        let children = Mirror(reflecting: switches).children
        return Dictionary(children.map { ($0.label ?? "", "\($0.value)") }) { first, _ in first }
    }

    private static func changed(_ one: DAVSwitch) throws -> Set<String> {
        let text = one.numbers.map { "\(one.name)=\($0.upperBound)" } ?? one.name
        let setting = try #require(DAVSwitch.Setting(text))
        var switches = DAVServer.Switches()
        setting.apply(to: &switches)
        let (before, after) = (facts(DAVServer.Switches()), facts(switches))
        return Set(before.keys.filter { before[$0] != after[$0] })
    }

    @Test func `every switch of the server has a name, but those that options of their own set, and those of a test`()
        throws
    {
        let names = DAVSwitch.all.map(\.name)
        #expect(Set(names).count == names.count)
        var properties: Set<String> = []
        for one in DAVSwitch.all {
            let changed = try Self.changed(one)
            #expect(changed.count == 1, "\(one.name)")
            properties.formUnion(changed)
        }
        let others: Set<String> = [
            "hasChunks", "hasResumable", "rootID", "fingerprint", "cutAfter", "stoppedAt", "rangeLie",
        ]
        #expect(properties.union(others) == Set(Self.facts(DAVServer.Switches()).keys))
        #expect(properties.isDisjoint(with: others))
    }

    @Test(arguments: [
        "", "no-such", "no-locks=1", "late-listings", "late-listings=", "late-listings=0", "late-listings=1001",
        "answers-after=-1", "answers-after=soon", "=1",
    ])
    func `anything else is none`(_ text: String) { #expect(DAVSwitch.Setting(text) == nil) }

    @Test func `the switches are listed, for people and as data`() async throws {
        let stage = try LabStage()
        let text = await stage.runLab("files", "--show-switches")
        #expect(text.status == .done && text.output.contains("late-listings=1…1000"), "\(text)")
        let data = await stage.runLab("files", "--show-switches", "--json")
        #expect(data.json?["gzip-tags"]?.string?.contains("-gzip") == true)
        #expect(await stage.runLab("files", "--switch", "no-such").status == .usage)
    }
}
