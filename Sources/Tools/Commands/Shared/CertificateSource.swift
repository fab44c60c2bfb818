internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport
internal import SecurityFramework

/// Where a certificate or a key is: in a file, or with a server.
enum CertificateSource {
    case file([KeyFile.Entry])
    case server(Origin)

    /// A file of this name, or else a host with or without a port.
    static func read(_ text: String) throws -> CertificateSource {
        guard !DurableFile.exists(text) else { return .file(try entries(of: text)) }
        return .server(try origin(text))
    }

    /// What stands in a file.
    static func entries(of path: String) throws -> [KeyFile.Entry] {
        let bytes = try InputFile.read(path, limit: KeyFile.maximumSize)
        let entries = KeyFile.entries(bytes)
        guard !entries.isEmpty else {
            if KeyFile.holdsPrivateKey(bytes) {
                let next = "“openssl pkey -in FILE -pubout” writes its public key, which is what a pin is of."
                throw CommandFailure(
                    .failed, "“\(path)” holds a private key, and no certificate, request or public key. \(next)")
            }
            throw CommandFailure(.failed, "“\(path)” holds no certificate, request or public key that can be read.")
        }
        return entries
    }

    /// The certificates of a file.
    static func certificates(of path: String) throws -> [[UInt8]] {
        let certificates = try entries(of: path).filter { $0.kind == .certificate }.map(\.der)
        guard !certificates.isEmpty else { throw CommandFailure(.failed, "“\(path)” holds no certificate.") }
        return certificates
    }

    private static func origin(_ text: String) throws -> Origin {
        guard text.utf8.contains(where: { $0 != 0x20 }) else {
            throw CommandFailure(.usage, "The name is empty. Give a file, or a host such as example.org:8443.")
        }
        let isAddress = text.contains("://")
        do throws(WebURL.Problem) {
            let origin = try WebURL(isAddress ? text : "https://\(text)").origin
            guard origin.scheme == .https else { throw .scheme("http") }
            return origin
        } catch {
            let words = "“\(text)” is no file that is there, and no host either."
            if case .host = error { throw CommandFailure(.usage, words) }
            throw CommandFailure(.usage, "\(words) \(error)")
        }
    }
}
