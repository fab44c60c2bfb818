internal import AuditCore
internal import Foundation

/// JSON of which the same value has the same bytes: sorted keys, no spaces, no escaped slashes.
package enum CanonicalJSON {
    package static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    package static func digest(_ value: some Encodable) -> String { "sha256:" + SHA256.hex(text(value)) }
}
