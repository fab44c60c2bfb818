import AuditCore
import AuditEvidence
import Testing

/// The verdict of each row is never above what was looked at.
@Suite struct VerdictTests {
    /// Grounds under which the row has all that it asks for.
    private func complete(_ row: Requirement) -> Grounds {
        var grounds = Grounds()
        grounds.automation = row.automation
        grounds.verify = row.verify
        grounds.mapped = max(1, row.rules.count { !$0.isAbsence })
        grounds.ran = grounds.mapped
        for kind in row.verify where kind != "static_scan" { grounds.results[kind] = true }
        return grounds
    }

    @Test func `the rows are those of the standards`() {
        let counts = Requirement.sets.map { set in Requirement.all.count { $0.set == set } }
        #expect(counts == [127, 24, 7, 22, 21])
        #expect(Set(Requirement.all.map(\.id)).count == 201)
    }

    @Test(arguments: Requirement.all.map(\.id))
    func `a row is supported only when all that it asks for ran on everything`(_ id: String) throws {
        let row = try #require(Requirement.all.first { $0.id == id })
        let whole = complete(row)
        #expect((whole.judged().verdict == .supported) == (row.automation == "full"))
        let changes: [(inout Grounds) -> Void] = [
            { $0.automation = "partial" }, { $0.automation = "none" },
            { grounds in
                grounds.results = [:]; grounds.verify.append("app_test")
            },
            { $0.verify.append("not run: a test") },
        ]
        for change in changes {
            var grounds = whole
            change(&grounds)
            #expect(grounds.judged().verdict == .notAssessed)
        }
        let scanned: [(inout Grounds) -> Void] = [
            { $0.notAnalysed = 1 }, { $0.notLooked = 1 }, { $0.ran -= 1 }, { $0.mapped = 0 }, { $0.notes = 1 },
            { $0.suppressed = 1 }, { $0.isWhole = false }, { $0.inTests = 1 }, { $0.undecided = 1 },
        ]
        for change in scanned where row.verify.contains("static_scan") {
            var grounds = whole
            change(&grounds)
            #expect(grounds.judged().verdict == .notAssessed)
        }
        var found = whole
        found.open = 1
        found.notApplicable = "said by somebody"
        #expect(found.judged().verdict == .contradicted)
        var disagreeing = whole
        disagreeing.results["kit_test"] = false
        #expect(disagreeing.judged().verdict == .contradicted)
        var other = whole
        other.notApplicable = "no server (A. Person, 2026-11-25)"
        #expect(other.judged().verdict == .notApplicable)
    }

    @Test(arguments: [1, 2])
    func `each reason of a record is told in German too`(_ count: Int) {
        let reasons: [Reason] = [
            .findings(count), .notes(count), .suppressed(count), .notAnalysed(count), .notLooked(count), .noRule,
            .inTests(count), .undecided(count), .ruleGap,
            .noFile,
            .missing(["app_test", "human", Reason.notRun + "LockTests"]), .disagrees("kit_test"), .partial, .person,
            .agrees(count),
        ]
        for reason in reasons {
            #expect(!reason.text.contains(Reason.separator))
            #expect(Translation.german(reason.text) == reason.text(german: true))
            #expect(!reason.text(german: true).contains("not run") && reason.text(german: true) != reason.text)
        }
    }

    @Test func `a person alone never supports`() {
        var grounds = Grounds()
        grounds.verify = []
        #expect(grounds.judged().verdict == .notAssessed)
    }

    @Test func `each rule belongs to a row of each standard that it names`() {
        let ids = Set(Requirement.all.map(\.id))
        for rule in Catalogue.rules {
            #expect(rule.tr.allSatisfy(ids.contains), "\(rule.id)")
            #expect(ids.contains(rule.masvs), "\(rule.id) \(rule.masvs)")
        }
    }
}
