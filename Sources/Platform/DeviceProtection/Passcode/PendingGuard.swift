internal import PaviseCrypto
internal import PavisePrimitives

/// Names the guard of a passcode that is being set, until the keybag names it: by it, whoever opens the device next
/// finds what a crash or a full disk left in the element.
///
/// Authenticated by the element: nobody can have another guard destroyed by this file.
struct PendingGuard: Sendable {
    let path: String
    private let purpose: String
    private let element: any SecureElement

    init(_ folder: String, identity: [UInt8], element: any SecureElement) {
        path = Self.path(folder)
        purpose = "pending guard of " + Hex.encode(identity)
        self.element = element
    }

    static func path(_ folder: String) -> String { folder + "/pending-guard" }

    /// The guard; `nil` where none is named, and where the file is not what was written.
    func read() throws(DeviceFailure) -> [UInt8]? {
        let stored: [UInt8]?
        do throws(SystemFailure) { stored = try DurableFile.readIfPresent(path, limit: longestGuard + 32) } catch {
            guard error.isTooLarge else { throw .system(error) }
            return nil
        }
        guard let stored, stored.count > 32 else { return nil }
        let blob = Array(stored.dropLast(32))
        let (expected, found) = (try tag(of: blob), Array(stored.suffix(32)))
        return ConstantTime.equal(expected.span, found.span) ? blob : nil
    }

    /// Names a guard; when this returns, the file is on the disk.
    func write(_ blob: [UInt8]) throws(DeviceFailure) {
        let bytes = try blob + tag(of: blob)
        try DeviceFailure.reporting { try DurableFile.write(bytes.span, to: path) }
    }

    /// Removes the file; twice is fine.
    func remove() throws(DeviceFailure) { try DeviceFailure.reporting { try DurableFile.remove(path) } }

    private func tag(of blob: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        try element.derivedKey(purpose: purpose).withBytes { HMAC.sha256(key: $0, blob) }
    }
}
