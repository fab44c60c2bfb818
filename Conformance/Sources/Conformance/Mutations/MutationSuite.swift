internal import Dispatch
internal import Foundation
internal import PaviseCrypto
internal import SecurityFramework
internal import Synchronization

/// Chains that are changed at random, the same way in each run: nothing traps, and nothing but an untouched chain is
/// trusted.
///
/// `conformance mutations COUNT [SEED [LIMBO.json[.xz]…]]`. Each chain, made here or of a public server in such a file,
/// is first seen to be trusted. Then its leaf, or a certificate above it, is changed in one of several ways, and the
/// verdict is asked for as a decision and, for one in sixteen, with its reasons: a chain with a changed certificate
/// that it needs must be refused, and the two must agree.
enum MutationSuite {
    @Sendable static func play(_ all: SuiteArguments) throws -> SuiteReport {
        let arguments = all.paths
        guard let count = arguments.first.flatMap({ Int($0) }), count > 0,
            let seed = arguments.count > 1 ? UInt64(arguments[1]) : 4
        else { throw MutationFailure.usage }
        let chains = try MutationChain.made() + arguments.dropFirst(2).flatMap(MutationChain.published)
        let counts = Mutex(MutationCounts())
        let size = 1_000
        DispatchQueue.concurrentPerform(iterations: (count + size - 1) / size) { block in
            var part = MutationCounts()
            for number in block * size..<min(count, (block + 1) * size) {
                part.judge(chains[number % chains.count], number: number, seed: seed)
            }
            counts.withLock { [part] in $0.add(part) }
        }
        return counts.withLock { $0.report(all, seed: seed, chains: chains.count) }
    }
}

/// Why the run could not begin.
enum MutationFailure: Error, CustomStringConvertible {
    case usage
    case refused(String)

    var description: String {
        switch self {
        case .usage: "say how many mutations, and maybe a seed and files: conformance mutations 1000000 4 limbo.json"
        case .refused(let name): "the untouched chain “\(name)” is not trusted"
        }
    }
}

/// What came out.
struct MutationCounts {
    private var total = 0
    /// Mutations that gave the same bytes.
    private var unchanged = 0
    /// Chains that are trusted although a certificate was changed: one that they do not need.
    private var trustedWithoutIt = 0
    private var unreadable = 0
    private var withReasons = 0
    private var wrong: [String: String] = [:]

    mutating func judge(_ chain: MutationChain, number: Int, seed: UInt64) {
        var random = Mutator(seed: seed, number: number)
        let index = random.pick(chain.certificates.count + 1) % chain.certificates.count
        var changed = chain.certificates
        changed[index] = random.mutated(changed[index], with: chain.certificates)
        total += 1
        guard changed != chain.certificates else {
            unchanged += 1
            return
        }
        let request = chain.request(changed)
        let isTrusted = ServerTrust.isTrusted(request)
        if (try? X509Certificate(der: changed[index])) == nil { unreadable += 1 }
        if isTrusted {
            if chain.needed.contains(index) {
                wrong["\(chain.name)-\(number)"] = "trusted although certificate \(index) was changed"
            } else {
                trustedWithoutIt += 1
            }
        }
        guard number % 16 == 0 else { return }
        withReasons += 1
        let verdict = ServerTrust.evaluate(request)
        if verdict.isTrusted != isTrusted { wrong["\(chain.name)-\(number)"] = "the two verdicts differ" }
        if !verdict.isTrusted, verdict.failures.isEmpty {
            wrong["\(chain.name)-\(number)"] = "refused without a reason"
        }
    }

    mutating func add(_ other: MutationCounts) {
        total += other.total
        unchanged += other.unchanged
        trustedWithoutIt += other.trustedWithoutIt
        unreadable += other.unreadable
        withReasons += other.withReasons
        wrong.merge(other.wrong) { first, _ in first }
    }

    func report(_ arguments: SuiteArguments, seed: UInt64, chains: Int) -> SuiteReport {
        var report = SuiteReport("mutations", arguments)
        // Of a chain that stayed as it was nothing is asked.
        report.add(passed: total - unchanged - wrong.count, failed: wrong)
        report.figures = [
            "mutations": Double(total), "unchanged": Double(unchanged), "unreadable": Double(unreadable),
            "trustedWithoutIt": Double(trustedWithoutIt), "withReasons": Double(withReasons),
            "chains": Double(chains), "seed": Double(seed),
        ]
        return report
    }
}
