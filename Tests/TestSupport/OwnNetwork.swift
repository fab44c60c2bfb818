#if canImport(Glibc)
internal import Foundation
internal import Glibc
internal import PavisePrimitives

/// Runs tests of this program in a network namespace of their own, in which `ip` may take every network down and up.
///
/// ```swift
/// @Test func `outside`() throws { try OwnNetwork.run("SuiteName") }          // starts the program again, for:
/// @Suite(.enabled(if: OwnNetwork.isHere)) struct SuiteName { … }
/// ```
public enum OwnNetwork {
    private static let variable = "PAVISE_TEST_NETWORK"

    /// Whether this process is in such a namespace. At the beginning no network is up in it, loopback neither.
    public static var isHere: Bool { ProcessInfo.processInfo.environment[variable] == "own" }

    /// Whether the machine has the two programs and lets this user make a namespace.
    public static let isPossible = shell("command -v ip && \(unshare) true").status == 0

    /// Runs the tests whose name holds `name` in a namespace of their own, for two minutes at most.
    ///
    /// - Returns: What they wrote, and 0 where all passed.
    public static func run(_ name: String) throws -> (status: Int32, output: String) {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let words = "--testing-library swift-testing --no-parallel --filter '\(name)'"
        return shell("\(variable)=own timeout 120 \(unshare) '\(own)' \(words)")
    }

    /// Runs `ip` with these words, for example `link set lo up`.
    public static func ip(_ text: String) throws {
        let done = shell("ip \(text)")
        guard done.status == 0 else { throw SystemFailure(operation: "ip \(text)", path: done.output, code: EPERM) }
    }

    // Without root, a user namespace has to come first.
    private static let unshare = getuid() == 0 ? "unshare -n" : "unshare -rn"

    private static func shell(_ command: String) -> (status: Int32, output: String) {
        let whole = "PATH=$PATH:/usr/sbin:/sbin; (\(command)) 2>&1 </dev/null"
        guard let pipe = unsafe popen(whole, "r") else { return (-1, "") }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe fread(&piece, 1, piece.count, pipe), count > 0 { output += piece.prefix(count) }
        return (unsafe pclose(pipe), String(decoding: output, as: UTF8.self))
    }
}
#endif
