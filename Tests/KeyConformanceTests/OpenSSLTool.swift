import Foundation

/// OpenSSL's program in a folder of its own, which goes away with it.
final class OpenSSLTool {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
    private let folder: URL

    struct Failure: Error { let words: String }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file and gives its path.
    func store(_ name: String, _ data: Data) throws -> String {
        let place = folder.appendingPathComponent(name)
        try data.write(to: place)
        return place.path
    }

    /// What the program prints when it is given `input`.
    @discardableResult
    func run(_ words: [String], _ input: Data? = nil) throws -> Data {
        var words = words
        if let input { words += ["-in", try store("input", input)] }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = words
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(words: "openssl \(words): \(String(decoding: complaint, as: UTF8.self))")
        }
        return printed
    }

    /// A fresh private key, PKCS#8, PEM.
    func key(_ kind: String) throws -> Data {
        let choice: [String] =
            switch kind {
            case "rsa": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case "ed25519": ["ED25519"]
            case "ec384": ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"]
            default: ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            }
        return try run(["genpkey", "-algorithm"] + choice)
    }

    /// A fresh identity under the passphrase `secret`.
    func pkcs12(_ kind: String) throws -> Data {
        let key = try store("identity.key", try key(kind))
        let certificate = folder.appendingPathComponent("identity.pem").path
        try run(["req", "-x509", "-new", "-key", key, "-subj", "/CN=\(kind)", "-days", "30", "-out", certificate])
        return try run(
            ["pkcs12", "-export", "-inkey", key, "-in", certificate, "-name", kind, "-passout", "pass:secret"])
    }
}
