import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// A case of a Wycheproof file, and the group that it stands in.
struct WycheproofCase {
    let group, test: JSONValue

    var name: String { "\(test["tcId"]?.integer ?? 0) \(test["comment"]?.string ?? "")" }
    var isValid: Bool { test["result"]?.string == "valid" }
    var isAcceptable: Bool { test["result"]?.string == "acceptable" }

    func bytes(_ name: String) -> Data { Data(hex: test[name]?.string ?? "") }
    func groupBytes(_ name: String) -> Data { Data(hex: group[name]?.string ?? "") }

    /// The hash of the group in the way that algorithms spell it.
    var hash: String { (group["sha"]?.string ?? "").replacingOccurrences(of: "-", with: "") }

    /// The key of a SubjectPublicKeyInfo as SecKey takes it; `nil` for bytes that are none.
    static func key(spki: Data, _ type: String) -> SecKey? {
        guard let bytes = SubjectPublicKey.bytes(of: spki) else { return nil }
        return try? Keys.read(bytes, type, "0")
    }

    /// All cases of a file, in order.
    static func all(_ file: String) throws -> [WycheproofCase] {
        let json = try JSONValue.parse(Vectors.read("wycheproof/\(file)_test.json"), limit: 1 << 23)
        return (json["testGroups"]?.array ?? []).flatMap { group in
            (group["tests"]?.array ?? []).map { WycheproofCase(group: group, test: $0) }
        }
    }
}
