@testable import PaviseDevice
import PavisePrimitives
import TestSupport

/// A TPM, a home and its element, all of a test's own.
final class TPMStage: Sendable {
    let tpm: SoftwareTPM
    let folder: TemporaryFolder

    init() throws {
        tpm = try SoftwareTPM()
        folder = try TemporaryFolder()
    }

    var home: String { folder.path + "/device" }

    func address() throws -> TPMAddress {
        guard let address = TPMAddress(tpm.address) else { throw TPMFailure(.address) }
        return address
    }

    /// The element, as another process would open it.
    func open(_ home: String? = nil, mayCreate: Bool = true) throws -> TPMElement {
        try TPMElement.open(home ?? self.home, at: address(), mayCreate: mayCreate)
    }

    /// What is loaded in the TPM, seen by a connection that cleans nothing up.
    func loaded() throws -> [UInt32] {
        let context = try TPMContext(address())
        return try TPMContext.HandleRange.loaded.flatMap { try context.handles($0) }
    }

    /// The indices of the TPM's own memory.
    func indices() throws -> [UInt32] {
        try TPMContext(address()).handles(.indices)
    }

    static func secrets(_ passcode: UInt8, key: UInt8? = nil) -> PasscodeSecrets {
        func secret(_ byte: UInt8) -> SecretBytes {
            SecretBytes(count: 32) { for index in $0.indices { $0[index] = byte } }
        }
        return PasscodeSecrets(pin: secret(passcode), authorization: secret(key ?? passcode), tangle: secret(passcode))
    }
}

/// What an operation of the element says when it refuses; `nil` when it does not.
func refusal(_ body: () throws -> Void) -> DeviceFailure? {
    do {
        try body()
        return nil
    } catch let failure as DeviceFailure {
        return failure
    } catch {
        return .crypto("\(error)")
    }
}

/// The kind of a TPM's refusal; `nil` for other outcomes.
func hardwareRefusal(_ body: () throws -> Void) -> TPMFailure.Kind? {
    guard case .hardware(let failure) = refusal(body) else { return nil }
    return failure.kind
}
