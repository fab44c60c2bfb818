internal import PavisePrimitives

/// A request in the words of a URLSession. Pure.
package struct DrivenMessage: Sendable {
    /// The most bytes of a file that are sent as a body: 64 MiB. URLSession has no way to read an open file that may
    /// have another name by now, so it is copied.
    package static let uploadLimit = 64 << 20

    package let method: String
    package let url: String
    /// The lines without secrets.
    package let fields: [HTTPFields.Field]
    private let lines: SecretFields
    private let source: HTTPRequest
    /// How long the server may be silent.
    package let idle: Duration

    /// Reads `request`, which goes out with `lines`.
    ///
    /// - Parameter asksForPlain: Says that no packed body is wanted. URLSession asks for one otherwise, and unpacks it.
    /// - Throws: ``TransportFailure/unusableRequest(_:)`` for a file that is too large or became shorter.
    init(
        _ request: HTTPRequest, carrying lines: SecretFields, asksForPlain: Bool
    ) throws(TransportFailure) {
        var fields = request.fields
        if asksForPlain && fields["Accept-Encoding"] == nil { fields.append("Accept-Encoding", "identity") }
        var source = request
        if let upload = request.upload {
            guard upload.count <= Self.uploadLimit else {
                throw .unusableRequest(
                    "URLSession sends files of at most \(Self.uploadLimit) bytes here. Send the content in parts.")
            }
            guard let bytes = upload.read(at: 0, upTo: upload.count), bytes.count == upload.count else {
                throw .unusableRequest("The file to send became shorter or unreadable.")
            }
            source.upload = nil
            source.body = bytes
        }
        method = request.method
        url = request.url.description
        self.fields = fields.fields
        self.lines = lines
        self.source = source
        idle = request.limits.idle
    }

    /// The body, or none. URLSession takes no other form than a copy, which nobody wipes.
    package var body: [UInt8]? { source.body }

    /// The lines with secrets, name and value. Text, because URLSession takes no other form: nobody wipes it.
    package var secretFields: [HTTPFields.Field] {
        [lines.authorization, lines.cookie].compactMap { line in
            guard let line else { return nil }
            let text = line.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self) }
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return HTTPFields.Field(name: String(parts[0]), value: String(parts[1].dropFirst()))
        }
    }
}
