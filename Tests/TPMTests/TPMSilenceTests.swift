import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDevice

/// A TPM that takes commands and does not answer. Without a limit each of these would hang for ever; the limit is small
/// here.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"), .timeLimit(.minutes(2)))
struct TPMSilenceTests {
    let stage: TPMStage
    private let digest = [UInt8](repeating: 7, count: 32)

    init() throws { stage = try TPMStage() }

    private func hasty() throws -> TPMAddress {
        var address = try stage.address()
        address.patience = .milliseconds(300)
        return address
    }

    @Test func `a TPM that hangs in the middle is an error for each call, and works again when it answers`() throws {
        let element = try TPMElement.open(stage.home, at: hasty(), mayCreate: true)
        let key = try element.generateKey()
        for _ in 0..<2 {
            _ = try element.sign(digest: digest, with: key.blob)
            stage.tpm.hang()
            #expect(hardwareRefusal { _ = try element.sign(digest: digest, with: key.blob) } == .silent)
            #expect(hardwareRefusal { _ = try element.generateKey() } == .silent)
            element.disconnect()
            stage.tpm.resume()
            // The old connections end by themselves; the emulator serves one after the other.
            let patient = try TPMElement.open(stage.home, at: stage.address(), mayCreate: false)
            _ = try patient.sign(digest: digest, with: key.blob)
            patient.disconnect()
        }
    }

    @Test func `a TPM that hangs from the start is an error when the device is opened`() throws {
        stage.tpm.hang()
        let address = try hasty()
        #expect(hardwareRefusal { _ = try TPMElement.open(stage.home, at: address, mayCreate: true) } == .silent)
        stage.tpm.resume()
        _ = try stage.open().generateKey()
    }

    @Test func `a server that takes connections and says nothing is no TPM`() throws {
        let listener = try TCPListener.listen()
        guard var address = TPMAddress("swtpm:host=127.0.0.1,port=\(listener.port)") else { throw TPMFailure(.address) }
        address.patience = .milliseconds(100)
        let refused = hardwareRefusal { _ = try TPMElement.open(stage.home, at: address, mayCreate: true) }
        #expect(refused == .silent || refused == .absent)
        let device = DeviceFailure.hardware(TPMFailure(.silent))
        #expect(device.explanation.hasPrefix("The TPM did not answer in time."))
        _ = consume listener
    }
}
