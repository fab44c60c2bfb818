// Apple's systems have no TPM, and iOS starts no process.
#if os(Linux)
internal import Foundation
internal import PavisePrimitives

/// A maker of software TPMs with an authority of its own (swtpm_setup and swtpm_localca): each of its TPMs holds a
/// certificate of its endorsement key.
public final class SoftwareTPMMaker: Sendable {
    /// Whether the machine has swtpm's tools for that.
    public static let isInstalled =
        SoftwareTPM.isInstalled && SoftwareTPM.program("swtpm_setup") != nil
        && SoftwareTPM.program("swtpm_localca") != nil

    private let folder: TemporaryFolder

    /// A maker that nobody knows yet.
    public init() throws {
        folder = try TemporaryFolder()
        let place = folder.path
        try """
        statedir = \(place)
        signingkey = \(place)/signkey.pem
        issuercert = \(place)/issuercert.pem
        certserial = \(place)/certserial
        """.write(toFile: place + "/authority.conf", atomically: false, encoding: .utf8)
        try "--platform-manufacturer Test\n--platform-version 1\n--platform-model Test\n".write(
            toFile: place + "/options", atomically: false, encoding: .utf8)
        try """
        create_certs_tool = \(SoftwareTPM.program("swtpm_localca") ?? "")
        create_certs_tool_config = \(place)/authority.conf
        create_certs_tool_options = \(place)/options
        active_pcr_banks = sha256
        """.write(toFile: place + "/setup.conf", atomically: false, encoding: .utf8)
    }

    /// Makes the state of a TPM in `state`, with certificates.
    func make(in state: String) throws {
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: SoftwareTPM.program("swtpm_setup") ?? "")
        tool.arguments = [
            "--tpm2", "--tpmstate", state, "--config", folder.path + "/setup.conf", "--create-ek-cert", "--overwrite",
        ]
        tool.standardInput = FileHandle.nullDevice
        tool.standardOutput = FileHandle.nullDevice
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        tool.waitUntilExit()
        guard tool.terminationStatus == 0 else {
            throw SystemFailure(operation: "swtpm_setup", path: state, code: EIO)
        }
    }

    /// The authority's root (DER); there is one once a TPM was made.
    public func root() throws -> [UInt8] { try certificate("swtpm-localca-rootca-cert.pem") }

    /// The authority between the root and the endorsement certificates (DER).
    public func intermediate() throws -> [UInt8] { try certificate("issuercert.pem") }

    private func certificate(_ name: String) throws -> [UInt8] {
        let lines = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8).split(separator: "\n")
        return Base64.decode(lines.filter { !$0.hasPrefix("-----") }.joined()) ?? []
    }
}
#endif
