internal import PaviseCommands
internal import PaviseLab
internal import PavisePrimitives

/// One switch of the lab's WebDAV server, by its name on the command line: what it does otherwise than it should.
struct DAVSwitch: Sendable {
    /// A switch that was given, with its number.
    struct Setting: Sendable {
        private let chosen: DAVSwitch
        private let number: Int

        /// Reads `NAME` or `NAME=NUMBER`; `nil` for another name, a number that is missing, one too many, or one out of
        /// range.
        init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let found = DAVSwitch.all.first(where: { $0.name == parts[0] }) else { return nil }
            chosen = found
            guard let numbers = found.numbers else {
                guard parts.count == 1 else { return nil }
                number = 1
                return
            }
            guard parts.count == 2, let number = Int(parts[1]), numbers.contains(number) else { return nil }
            self.number = number
        }

        func apply(to switches: inout DAVServer.Switches) { chosen.set(&switches, number) }
    }

    let name: String
    /// What the server does, for people.
    let meaning: String
    /// What it takes behind `=`; `nil` for nothing.
    let numbers: ClosedRange<Int>?
    private let set: @Sendable (inout DAVServer.Switches, Int) -> Void

    private init(
        _ name: String, _ meaning: String, _ numbers: ClosedRange<Int>? = nil,
        set: @escaping @Sendable (inout DAVServer.Switches, Int) -> Void
    ) {
        (self.name, self.meaning, self.numbers, self.set) = (name, meaning, numbers, set)
    }

    /// All of them with what they do.
    static var report: Report {
        var report = Report(data: .object(all.map { .init($0.name, .string($0.meaning)) }))
        report.add(
            .table(
                [["Switch", "What the server does"]]
                    + all.map { one in
                        let number = one.numbers.map { "=\($0.lowerBound)…\($0.upperBound)" } ?? ""
                        return [one.name + number, one.meaning]
                    }))
        return report
    }

    static let all = tags + requests

    private static let tags = [
        DAVSwitch("no-tags", "No file has a tag.") { switches, _ in switches.hasNoTags = true },
        DAVSwitch("hidden-tags", "Answers to PUT name no tag.") { switches, _ in switches.hidesTagAfterWrite = true },
        DAVSwitch("weak-tags", "Tags are weak.") { switches, _ in switches.hasWeakTags = true },
        DAVSwitch("young-weak-tags", "Tags are weak until the second of a write is over, as apache's.") { switches, _ in
            switches.hasYoungWeakTags = true
        },
        DAVSwitch("second-tags", "Two writes of one size in a second share a tag.") { switches, _ in
            switches.hasSecondTags = true
        },
        DAVSwitch("restless-tags", "Each look at a file gives it another tag.") { switches, _ in
            switches.hasRestlessTags = true
        },
        DAVSwitch("gzip-tags", "Who takes gzip reads tags with -gzip, as of apache's mod_deflate.") { switches, _ in
            switches.gzipTags = .whereAccepted
        },
        DAVSwitch("forced-gzip-tags", "Everybody reads tags with -gzip, which no condition takes.") { switches, _ in
            switches.gzipTags = .everywhere
        },
        DAVSwitch("file-ids", "Files have ownCloud's identifiers.") { switches, _ in switches.hasFileIDs = true },
    ]

    private static let requests = [
        DAVSwitch("no-conditions", "If-Match and If-None-Match are passed over.") { switches, _ in
            switches.ignoresConditions = true
        },
        DAVSwitch("no-locks", "LOCK is not known.") { switches, _ in switches.hasNoLocks = true },
        DAVSwitch("no-infinity", "Depth: infinity is refused.") { switches, _ in switches.refusesInfinity = true },
        DAVSwitch("empty-root", "The folder is listed without its members.") { switches, _ in
            switches.listsEmptyRoot = true
        },
        DAVSwitch("member-in-error", "One member of each listing is in error.") { switches, _ in
            switches.hasMemberInError = true
        },
        DAVSwitch("late-listings", "Listings show the state of so many requests ago.", 1...1_000) { switches, number in
            switches.lateListings = number
        },
        DAVSwitch("answers-after", "Each answer comes so many milliseconds late.", 1...600_000) { switches, number in
            switches.answersAfter = Int64(number)
        },
        DAVSwitch("lost-answers", "So many PUT, MOVE and DELETE are done and not answered.", 1...1_000) {
            switches, number in
            switches.lostAnswers = ["PUT": number, "MOVE": number, "DELETE": number]
        },
        DAVSwitch("cut-reads", "So many answers to GET break off.", 1...1_000) { switches, number in
            switches.cutReads = number
        },
        DAVSwitch("torso", "What came of a PUT that broke off is the content.") { switches, _ in
            switches.keepsTorso = true
        },
        DAVSwitch("clock-ahead", "Its clock is so many seconds ahead.", 1...31_536_000) { switches, number in
            switches.clockAhead = Int64(number)
        },
    ]
}
