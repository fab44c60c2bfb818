public import PavisePrimitives

/// A form with files as `multipart/form-data` (RFC 7578), held in memory.
///
/// ```swift
/// var form = try MultipartForm()
/// form.append(name: "title", value: "Report")
/// form.append(name: "file", fileName: "report.pdf", contentType: "application/pdf", bytes: bytes)
/// let request = form.request(url: url)
/// ```
///
/// The boundary is random and 128 bits long. Quotes and line breaks in names are percent-encoded as browsers do it, so
/// a name from outside can add neither a part nor a field.
public struct MultipartForm: Sendable {
    private let boundary: String
    private var content: [UInt8] = []

    /// An empty form.
    ///
    /// - Throws: `EntropyFailure` when the kernel gives no random bytes.
    public init() throws(EntropyFailure) {
        boundary = "pavise-" + Hex.encode(try Entropy.kernel.bytes(16))
    }

    /// Appends a text.
    public mutating func append(name: String, value: String) {
        part(name: name, fileName: nil, contentType: nil, Array(value.utf8))
    }

    /// Appends a file.
    ///
    /// - Returns: `false`, and nothing is appended, for a content type that is empty, has another character than
    ///   visible ASCII and blanks, or a blank at an end.
    @discardableResult
    public mutating func append(name: String, fileName: String, contentType: String, bytes: [UInt8]) -> Bool {
        guard contentType.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }), !contentType.isEmpty,
            !contentType.hasPrefix(" "), !contentType.hasSuffix(" ")
        else { return false }
        part(name: name, fileName: fileName, contentType: contentType, bytes)
        return true
    }

    /// The request with the form as its body.
    public func request(_ method: String = "POST", url: WebURL) -> HTTPRequest {
        var request = HTTPRequest(method, url, body: content + Array("--\(boundary)--\r\n".utf8))
        request.fields.append("Content-Type", "multipart/form-data; boundary=\(boundary)")
        return request
    }

    private mutating func part(name: String, fileName: String?, contentType: String?, _ bytes: [UInt8]) {
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
        if let contentType { head += "\r\nContent-Type: \(contentType)" }
        content += Array("\(head)\r\n\r\n".utf8) + bytes + [0x0D, 0x0A]
    }

    private static func escaped(_ text: String) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0..<0x20, 0x7F: out += Array("%\(Hex.encode([byte]).uppercased())".utf8)
            default: out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
