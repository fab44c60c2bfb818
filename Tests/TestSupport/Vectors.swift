internal import Foundation

/// Test vectors of others, which are not part of the package: a suite that needs them says so and is skipped without.
///
/// The comment begins with `no vectors in PAVISE_VECTORS`, by which a run can count what it left out.
///
/// ```swift
/// @Test(.enabled(if: Vectors.has("ecies"), "no vectors in PAVISE_VECTORS: ecies"))
/// func `the packets open`() throws { … }
/// ```
public enum Vectors {
    /// The folder that `PAVISE_VECTORS` names, else `shared/vectors` beside the package; `nil` when there is none.
    public static let folder: String? = {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let beside = ["..", "../.."].map { package.appendingPathComponent("\($0)/shared/vectors").path }
        let named = ProcessInfo.processInfo.environment["PAVISE_VECTORS"].map { [$0] } ?? []
        return (named + beside).first { isFolder($0) }
    }()

    /// Whether the collection `name` is there.
    public static func has(_ name: String) -> Bool {
        guard let folder else { return false }
        return isFolder("\(folder)/\(name)")
    }

    /// The whole content of one file, for example `ecies/packets.json`.
    public static func read(_ name: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
    }
}
