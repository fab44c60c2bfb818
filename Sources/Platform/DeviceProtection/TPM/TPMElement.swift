package import PavisePrimitives
internal import Synchronization

/// A secure element whose keys and secrets are a TPM 2.0's.
///
/// Element keys are made in the TPM and never leave it. The root, under which class keys are wrapped, is sealed in the
/// TPM to a counter in its own memory: one step of the counter makes every copy of what was sealed before useless,
/// which is how keys are destroyed and how the device is erased. While a process uses the device, the root is in its
/// memory, as the class keys are.
package final class TPMElement: SecureElement {
    let folder: String
    let channel: TPMChannel
    let current = Mutex<TPMCurrent?>(nil)
    private let vendor = Mutex<UInt32>(0)

    private init(_ folder: String, _ address: TPMAddress) {
        self.folder = folder
        channel = TPMChannel(address)
    }

    /// The element's file.
    var path: String { folder + "/element.tpm" }

    /// Opens the element in `folder`, and makes it the first time.
    ///
    /// - Parameter mayCreate: `false` when something already depends on the element; then a missing file is damage.
    package static func open(
        _ folder: String, at address: TPMAddress, mayCreate: Bool
    ) throws(DeviceFailure) -> TPMElement {
        let element = TPMElement(folder, address)
        let stored = try DeviceFailure.reporting { try TPMStateFile.read(element.path) }
        if stored == nil {
            guard mayCreate else { throw .damaged(file: element.path) }
            try element.create()
        }
        let vendor = if let stored { stored.state.vendor } else { try element.root().state.vendor }
        element.vendor.withLock { $0 = vendor }
        return element
    }

    /// Names the TPM's maker.
    package var protection: ElementProtection {
        let letters = vendor.withLock { $0 }
        let name = (0..<4).map { UInt8(truncatingIfNeeded: letters >> UInt32(24 - 8 * $0)) }.filter {
            (0x21...0x7e).contains($0)
        }
        return ElementProtection(
            hardware: "TPM 2.0 (\(String(decoding: name, as: UTF8.self)))",
            meaning: "The root secret is sealed in the TPM. A copy of the disk opens nothing without this machine.")
    }

    /// HKDF-SHA256 (RFC 5869) of the root.
    package func derivedKey(purpose: String) throws(DeviceFailure) -> SecretBytes {
        try root().derive("derived: " + purpose)
    }

    /// RFC 3394 under a key of the purpose's own, derived from the root that the TPM seals.
    package func wrap(_ key: borrowing SecretBytes, purpose: String) throws(DeviceFailure) -> [UInt8] {
        try AESKeyWrapping.wrap(key, with: try root().derive("wrap: " + purpose))
    }

    /// See ``SecureElement/unwrap(_:purpose:)``.
    package func unwrap(_ blob: [UInt8], purpose: String) throws(DeviceFailure) -> SecretBytes {
        try AESKeyWrapping.unwrap(blob, with: try root().derive("wrap: " + purpose))
    }

    /// Gives the connection to the TPM up; the next use makes another.
    package func disconnect() { channel.disconnect() }
}
