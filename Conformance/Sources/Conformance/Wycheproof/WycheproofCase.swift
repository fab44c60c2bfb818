internal import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// A case of a Wycheproof file, and the group that it stands in.
struct WycheproofCase {
    let file: String
    let group, test: JSONValue

    /// The number in the file.
    var number: Int64 { test["tcId"]?.integer ?? 0 }
    /// The file and the number in it.
    var id: String { "\(file)/\(number)" }
    var comment: String { test["comment"]?.string ?? "" }
    /// What is published: `valid`, `invalid` or `acceptable`.
    var result: String { test["result"]?.string ?? "" }

    func bytes(_ name: String) -> [UInt8] { Hex.decode(test[name]?.string ?? "") ?? [] }
    func groupBytes(_ name: String) -> [UInt8] { Hex.decode(group[name]?.string ?? "") ?? [] }

    /// The hash of the group, where it is one of ours.
    var hash: HashFunction? {
        HashFunction(rawValue: (group["sha"]?.string ?? "").lowercased().replacingOccurrences(of: "-", with: ""))
    }

    /// The curve of the group or of its key, where it is one of ours.
    var curve: Curve? {
        let name = group["curve"]?.string ?? group["publicKey"]?["curve"]?.string ?? ""
        return Self.curves[name] ?? Curve(rawValue: name)
    }

    private static let curves: [String: Curve] = [
        "secp192r1": .p192, "secp224r1": .p224, "secp256r1": .p256, "secp384r1": .p384, "secp521r1": .p521,
    ]

    /// Why the hash of the group keeps the case from being played; `nil` for one of ours.
    var missingHash: WycheproofOutcome? {
        guard hash == nil else { return nil }
        return .notOffered("The hash \(group["sha"]?.string ?? "of the group") is not offered.")
    }

    /// Why the size of the group's RSA key keeps the case from being played.
    var missingRSASize: WycheproofOutcome? {
        guard let bits = group["keySize"]?.integer, !(1_024...8_192).contains(bits) else { return nil }
        return .notOffered("RSA keys of \(bits) bits are not offered.")
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
}
