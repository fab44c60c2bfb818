internal import FaultPoints
internal import Foundation

#if canImport(Glibc)
internal import Glibc
#endif

extension Scenario: PointScenario {
    static func lines() -> [String] { Sight.lines() }
    static func writingFails() -> String? { Sight.writingFails() }
    static func statuses(of fault: Fault, at call: String) -> Set<Int32> { fault.statuses(at: call) }
}

extension Fault {
    /// The statuses that may report it.
    ///
    /// SQLite opens a file for reading that it cannot open for writing, and forgets why the first attempt failed; a
    /// name that cannot be looked up counts as taken.
    fileprivate func statuses(at call: String) -> Set<Int32> {
        let isName = isLasting || call.hasPrefix("open ") || call.hasPrefix("access ")
        return switch error {
        case ENOSPC: isName ? [-34, -36] : [-34]
        case EIO: isName ? [-36, -25292, -25291] : [-36]
        default: []
        }
    }
}
