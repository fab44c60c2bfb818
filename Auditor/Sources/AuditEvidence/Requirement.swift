package import AuditCore
internal import Foundation

/// A row of a standard, in words of ours. The standard's own text decides.
package struct Requirement: Codable, Sendable {
    /// The name of the set on the command line: `tr-03161-1`, `masvs`, `gdpr32`, `cra`, `tr-03183-2`.
    package let set: String
    package let id: String
    package let standard: String
    package let edition: String
    package let family: String
    package let level: [String]
    package let depth: String
    package let text: String
    /// `full`, `partial` or `none`: how far a machine can show the client's part.
    package let automation: String
    package let kit: String
    /// What has to be done: `static_scan`, `kit_test`, `app_test`, `server_probe`, `human`.
    package let verify: [String]
    package let how: String
    /// Rows of TR-03161-1 that it shares its rules with.
    package let tr: [String]

    package static let sets = ["tr-03161-1", "masvs", "gdpr32", "cra", BillOfMaterials.set]

    /// All rows of all sets, in the order of the standards.
    package static let all: [Requirement] = {
        let data = Data(RequirementTable.json.utf8)
        return ((try? JSONDecoder().decode([Requirement].self, from: data)) ?? []) + BillOfMaterials.rows
    }()

    /// The names of all rows: what is said of another one would be heard by none.
    package static let ids: Set<String> = Set(all.map(\.id))

    /// The names of those rows that an app may leave out for a reason, whole or in part: with SHOULD or MAY.
    package static let optional: Set<String> = Set(
        all.filter { $0.level.contains("SHOULD") || $0.level.contains("MAY") }.map(\.id))

    /// The rules whose findings speak about this row.
    package var rules: [Rule] {
        let ids = Swift.Set(tr + [id])
        return Catalogue.rules.filter { set == "masvs" ? $0.masvs == id : !ids.isDisjoint(with: $0.tr) }
    }

    /// Whether the mapped rules look for all that the row asks of a scan. Where `how` asks for an inventory, a list of
    /// imports, settings of the linker or the like, a rule about a part of it supports nothing.
    package var isScannedWhole: Bool { Self.whole.contains(id) || set == BillOfMaterials.set }

    private static let whole: Set<String> = [
        "O.Cryp_3", "O.Cryp_5", "O.Rand_1", "O.Auth_13", "O.Data_2", "O.Data_9", "O.Data_10", "O.Data_11", "O.Data_14",
        "O.Ntwk_2", "O.Ntwk_5", "O.Ntwk_7", "MASVS-STORAGE-1", "MASVS-CRYPTO-1", "MASVS-NETWORK-1",
    ]
}
