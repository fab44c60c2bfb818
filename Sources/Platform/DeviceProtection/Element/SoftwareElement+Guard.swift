internal import PaviseCrypto
package import PavisePrimitives

// A guard is a random salt in a file. What entangles is derived from the root and this salt: without the file, nobody
// can compute it again, so copies of the blob and of the passcode are useless. There is no counter here: this element
// cannot see a try that somebody makes with copies of both files. The device counts, in its file of attempts.
extension SoftwareElement {
    private static let guardVersion: UInt8 = 1

    /// See ``SecureElement/makeGuard(_:)``.
    package func makeGuard(_ secrets: borrowing PasscodeSecrets) throws(DeviceFailure) -> [UInt8] {
        try DeviceFailure.reporting {
            let blob = [Self.guardVersion] + (try Entropy.kernel.bytes(16))
            let salt = try SecretBytes.random(count: 32)
            try DurableFile.makeDirectory(folder + "/guards")
            let path = try guardPath(blob)
            try salt.withBytes { try DurableFile.write($0, to: path) }
            return blob
        }
    }

    /// See ``SecureElement/entangle(_:guard:)``.
    package func entangle(
        _ secrets: borrowing PasscodeSecrets, guard blob: [UInt8]
    ) throws(DeviceFailure) -> SecretBytes {
        let path = try guardPath(blob)
        let stored = try DeviceFailure.reporting { try DurableFile.readIfPresent(path, limit: 64, isSecret: true) }
        guard var salt = stored, salt.count == 32 else { throw .unknownKey }
        defer { Wipe.bytes(&salt) }
        let key = try derive(salt: salt, purpose: "guard " + Hex.encode(blob))
        var answer = key.withBytes { key in secrets.tangle.withBytes { HMAC.sha256(key: key, $0) } }
        defer { Wipe.bytes(&answer) }
        return SecretBytes(copying: answer.span)
    }

    /// See ``SecureElement/destroyGuard(_:)``.
    package func destroyGuard(_ blob: [UInt8]) throws(DeviceFailure) {
        let path = try guardPath(blob)
        try DeviceFailure.reporting { try DurableFile.remove(path) }
    }

    /// Removes the root first, then every salt. See ``SecureElement/erase()``.
    package func erase() throws(DeviceFailure) {
        opened.forgetAll()
        try DeviceFailure.reporting {
            try DurableFile.remove(folder + "/element.secret")
            for place in ["/guards", "/keys"] { try Folder.remove(folder + place) }
        }
    }

    private func guardPath(_ blob: [UInt8]) throws(DeviceFailure) -> String {
        guard blob.count == 17, blob[0] == Self.guardVersion else { throw .unknownKey }
        return folder + "/guards/" + Hex.encode(Array(blob.dropFirst()))
    }
}
