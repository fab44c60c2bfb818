internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// A case of a Wycheproof file, and the group that it stands in.
struct WycheproofCase {
    let file: String
    let group, test: JSONValue

    /// The file and the number in it.
    var id: String { "\(file)/\(test["tcId"]?.integer ?? 0)" }
    var comment: String { test["comment"]?.string ?? "" }
    /// What is published: `valid`, `invalid` or `acceptable`.
    var result: String { test["result"]?.string ?? "" }

    func bytes(_ name: String) -> [UInt8] { Hex.decode(test[name]?.string ?? "") ?? [] }
    func groupBytes(_ name: String) -> [UInt8] { Hex.decode(group[name]?.string ?? "") ?? [] }

    /// The hash of the group, where it is one of ours.
    var hash: HashFunction? {
        HashFunction(rawValue: (group["sha"]?.string ?? "").lowercased().replacingOccurrences(of: "-", with: ""))
    }
}

/// What Pavise made of a case.
enum WycheproofOutcome {
    /// It refused, or found a signature wrong.
    case refused
    /// It accepted, and gave this where the case expects a value.
    case gave([UInt8])
    /// The parameters are not among those that Pavise offers, for this reason.
    case notOffered(String)
    /// It came out otherwise, because another case of the same file says the opposite.
    case contradicted(String)
}
