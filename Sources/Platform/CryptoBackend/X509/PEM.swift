internal import PavisePrimitives

/// The text form of DER (RFC 7468).
package enum PEM {
    /// The DER of every block with `label`; text around the blocks does not count.
    ///
    /// - Returns: `nil` when a block begins and does not end, or its base64 is wrong.
    package static func blocks(_ label: String, in text: String) -> [[UInt8]]? {
        var blocks: [[UInt8]] = []
        var body: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces
            if line == "-----BEGIN \(label)-----" {
                guard body == nil else { return nil }
                body = ""
            } else if line == "-----END \(label)-----" {
                guard let text = body, let bytes = Base64.decode(text) else { return nil }
                blocks.append(bytes)
                body = nil
            } else {
                body? += line
            }
        }
        return body == nil ? blocks : nil
    }

    /// The block of `der` with lines of 64 characters.
    package static func text(_ label: String, _ der: [UInt8]) -> String {
        let letters = Array(Base64.encode(der))
        let lines = stride(from: 0, to: letters.count, by: 64).map { String(letters[$0..<min($0 + 64, letters.count)]) }
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
