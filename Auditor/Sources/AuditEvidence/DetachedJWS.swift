package import AuditCore
internal import Foundation

/// A signature over the bytes of a file, beside it: a JSON Web Signature with detached, unencoded payload (RFC 7515
/// Appendix F, RFC 7797), ES256.
package enum DetachedJWS {
    private struct Header: Codable {
        let alg: String
        let b64: Bool
        let crit: [String]
        var kid: String?
    }

    /// - Returns: `header..signature`, `nil` when the key is no private one.
    package static func sign(_ payload: [UInt8], with key: SigningKey) -> String? {
        let header = CanonicalJSON.text(Header(alg: "ES256", b64: false, crit: ["b64"], kid: key.name))
        let start = base64(Array(header.utf8))
        guard let signature = key.sign(Array((start + ".").utf8) + payload) else { return nil }
        return start + ".." + base64(signature)
    }

    /// Whether `key` signed these bytes. A header that asks for anything else is refused.
    package static func verifies(_ text: String, _ payload: [UInt8], with key: SigningKey) -> Bool {
        let text = text.last == "\n" ? text.dropLast() : text[...]
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, text.utf8.count < 4_096, let bytes = bytes(parts[0]),
            let signature = self.bytes(parts[2]),
            let names = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
            names.keys.allSatisfy({ ["alg", "b64", "crit", "kid"].contains($0) }),
            let header = try? JSONDecoder().decode(Header.self, from: Data(bytes)),
            header.alg == "ES256", !header.b64, header.crit == ["b64"]
        else { return false }
        return key.verifies(signature, Array((parts[0] + ".").utf8) + payload)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// `nil` for text that is not the one encoding of its bytes.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: String(padded)), base64([UInt8](data)) == text else { return nil }
        return [UInt8](data)
    }
}
