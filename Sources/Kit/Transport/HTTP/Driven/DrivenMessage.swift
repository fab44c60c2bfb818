internal import PavisePrimitives

/// A request in the words of a URLSession. Pure.
package struct DrivenMessage: Sendable {
    package let method: String
    package let url: String
    /// The lines without secrets.
    package let fields: [HTTPFields.Field]
    private let lines: SecretFields
    private let source: HTTPRequest
    /// The file that is sent as the body, piece by piece; `nil` for none. The session asks for it
    /// (``DrivenEvents/body(of:)``): it is read where it is, also when it has another name by now.
    package let upload: UploadFile?
    /// How long the server may be silent.
    package let idle: Duration

    /// Reads `request`, which goes out with `lines`.
    ///
    /// - Parameter asksForPlain: Says that no packed body is wanted. URLSession asks for one otherwise, and unpacks it.
    init(_ request: HTTPRequest, carrying lines: SecretFields, asksForPlain: Bool) {
        var fields = request.fields
        if asksForPlain && fields["Accept-Encoding"] == nil { fields.append("Accept-Encoding", "identity") }
        var source = request
        source.upload = nil
        // A stream has no length of its own: without this line the body goes out in chunks, and a file that became
        // shorter would look whole. An empty one needs no stream.
        if let file = request.upload, file.count > 0 {
            fields.append("Content-Length", "\(file.count)")
            source.body = nil
            upload = file
        } else {
            if request.upload != nil { source.body = [] }
            upload = nil
        }
        method = request.method
        url = request.url.description
        self.fields = fields.fields
        self.lines = lines
        self.source = source
        idle = request.limits.idle
    }

    /// The body; `nil` where there is none, or a file is sent. URLSession takes no other form than a copy, which nobody
    /// wipes.
    package var body: [UInt8]? { source.body }

    /// The lines with secrets, name and value. Text, because URLSession takes no other form: nobody wipes it.
    package var secretFields: [HTTPFields.Field] {
        [lines.authorization, lines.cookie].compactMap { line -> HTTPFields.Field? in
            guard let line else { return nil }
            var copy = line.withBytes { bytes in Array(bytes) }
            defer { Wipe.bytes(&copy) }
            let text = String(decoding: copy, as: UTF8.self)
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return HTTPFields.Field(name: String(parts[0]), value: String(parts[1].dropFirst()))
        }
    }
}
