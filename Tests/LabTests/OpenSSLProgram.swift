import Foundation
import PaviseLab
import TestSupport

/// The `openssl` program as an independent judge.
enum OpenSSLProgram {
    static func verify(_ identity: ServerIdentity, anchor: String) throws -> String {
        try verify(chain: identity.chain, anchor: anchor)
    }

    static func verify(chain: [[UInt8]], anchor: String) throws -> String {
        let text = chain.map { "-----BEGIN CERTIFICATE-----\n\(lines(of: $0))\n-----END CERTIFICATE-----\n" }.joined()
        let folder = try TemporaryFolder()
        try anchor.write(toFile: folder.path + "/anchor", atomically: false, encoding: .utf8)
        try text.write(toFile: folder.path + "/chain", atomically: false, encoding: .utf8)
        return try run([
            "verify", "-auth_level", "2", "-purpose", "sslserver", "-CAfile", folder.path + "/anchor", "-untrusted",
            folder.path + "/chain", folder.path + "/chain",
        ])
    }

    static func describe(_ identity: ServerIdentity) throws -> String {
        let folder = try TemporaryFolder()
        try identity.chainPEM.write(toFile: folder.path + "/chain", atomically: false, encoding: .utf8)
        return try run(["x509", "-in", folder.path + "/chain", "-noout", "-dates", "-ext", "subjectAltName"])
    }

    private static func lines(of der: [UInt8]) -> String {
        Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
