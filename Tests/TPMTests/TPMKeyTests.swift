import Foundation
import PaviseCrypto
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDevice

/// Element keys and the root on a TPM.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed")) struct TPMKeyTests {
    let stage: TPMStage

    init() throws { stage = try TPMStage() }

    private func signs(_ element: TPMElement, _ key: ElementKey) throws -> Bool {
        let digest = Hash.digest(.sha256, Array("message".utf8))
        let signature = try element.sign(digest: digest, with: key.blob)
        return try ECPublicKey(x963: key.publicKey, curve: .p256).verify(signature: signature, digest: digest)
    }

    @Test func `DP7 keys and wrapped keys survive a restart of the TPM and of the process`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let secret = try SecretBytes.random(count: 32)
        let wrapped = try element.wrap(secret, purpose: "class")
        let derived = try element.derivedKey(purpose: "keybag")
        try stage.tpm.restart()
        for element in [element, try stage.open(mayCreate: false)] {
            let isSame = try element.unwrap(wrapped, purpose: "class").matches(secret)
            let isSameDerived = try element.derivedKey(purpose: "keybag").matches(derived)
            #expect(isSame && isSameDerived)
            #expect(try signs(element, key))
            #expect(try element.publicKey(of: key.blob) == key.publicKey)
        }
    }

    @Test func `DP7 a home is refused on another TPM, and says so`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        element.disconnect()
        try stage.tpm.replace()
        let again = try stage.open(mayCreate: false)
        #expect(hardwareRefusal { _ = try again.derivedKey(purpose: "keybag") } == .anotherTPM)
        #expect(
            hardwareRefusal { _ = try again.sign(digest: [UInt8](repeating: 1, count: 32), with: key.blob) }
                == .anotherTPM)
        #expect(hardwareRefusal { _ = try again.generateKey() } == .anotherTPM)
        #expect(hardwareRefusal { try again.erase() } == .anotherTPM)
    }

    @Test func `DP7 a key of another home on the same TPM is unknown`() throws {
        let key = try stage.open().generateKey()
        let other = try stage.open(stage.folder.path + "/second")
        #expect(refusal { _ = try other.sign(digest: [UInt8](repeating: 1, count: 32), with: key.blob) } == .unknownKey)
    }

    @Test func `a home whose file is gone is damaged, never made again`() throws {
        let path = stage.home + "/element.tpm"
        #expect(refusal { _ = try stage.open(mayCreate: false) } == .damaged(file: path))
        _ = try stage.open()
        try DurableFile.remove(path)
        #expect(refusal { _ = try stage.open(mayCreate: false) } == .damaged(file: path))
    }

    @Test func `a destroyed key stays destroyed when all files are put back`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let other = try element.generateKey()
        let saved = try DurableFile.read(stage.home + "/element.tpm", limit: 1 << 20)
        try element.destroy(key.blob)
        try element.destroy(key.blob)
        #expect(refusal { _ = try signs(element, key) } == .unknownKey)
        #expect(try signs(element, other))
        try DurableFile.write(saved.span, to: stage.home + "/element.tpm")
        #expect(refusal { _ = try signs(element, key) } == .unknownKey)
        #expect(refusal { _ = try signs(try stage.open(), key) } == .unknownKey)
        #expect(hardwareRefusal { _ = try stage.open().derivedKey(purpose: "keybag") } == .erased)
    }

    @Test func `a crash between the file and the counter's step loses nothing`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let doomed = try element.generateKey()
        try element.changing { link, root in
            guard let identity = TPMBlob(.key, doomed.blob)?.identity, let table = root.table.removing(identity) else {
                throw DeviceFailure.unknownKey
            }
            // As beginEpoch does, but without the step.
            _ = try element.withCounter(of: root.state, link) { counter in
                var next = root.state
                next.epoch += 1
                next.sealed = try element.seal(root.root, root.epochKey, at: next.epoch, counter, link)
                try element.store(root.with(next, table: table))
            }
        }
        element.forget()
        for element in [element, try stage.open()] {
            #expect(try signs(element, key))
            #expect(refusal { _ = try signs(element, doomed) } == .unknownKey)
        }
    }

    @Test func `a destruction that lost the TPM before the counter's step is made good by the next try`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let path = stage.home + "/element.tpm"
        let saved = try DurableFile.read(path, limit: 1 << 20)
        // The TPM goes when the next file is stored.
        let tpm = stage.tpm
        let observer = FileObserver(done: { step in if step.call == .rename { tpm.stop() } })
        let kind = FileObserver.$current.withValue(observer) { hardwareRefusal { try element.destroy(key.blob) } }
        #expect(kind == .absent)
        try tpm.start()
        try element.destroy(key.blob)
        try DurableFile.write(saved.span, to: path)
        #expect(refusal { _ = try signs(element, key) } == .unknownKey)
        #expect(refusal { _ = try signs(try stage.open(), key) } == .unknownKey)
    }

    @Test func `ECDH agrees with OpenSSL, and a point off the curve is refused`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        let peer = try ECPrivateKey(generating: .p256)
        for _ in 0..<20 {
            let ours = try element.sharedSecret(with: peer.publicKey.x963, using: key.blob)
            let theirs = try peer.sharedSecret(with: ECPublicKey(x963: key.publicKey, curve: .p256))
            let isSame = ours.matches(theirs)
            #expect(isSame)
        }
        var off = peer.publicKey.x963
        off[40] ^= 1
        let point = peer.publicKey.x963
        for point: [UInt8] in [off, [], [4], Array(point.dropLast()), [2] + Array(point.dropFirst())] {
            #expect(refusal { _ = try element.sharedSecret(with: point, using: key.blob) } == .invalidInput)
        }
        #expect(try signs(element, key))
    }

    @Test func `no byte of a key's handle or of the element's file can be changed`() throws {
        let element = try stage.open()
        let key = try element.generateKey()
        for index in key.blob.indices {
            var changed = key.blob
            changed[index] ^= 1
            #expect(refusal { _ = try element.publicKey(of: changed) } == .unknownKey)
        }
        let path = stage.home + "/element.tpm"
        let stored = try DurableFile.read(path, limit: 1 << 20)
        for index in stride(from: 0, to: stored.count, by: 7) {
            var changed = stored
            changed[index] ^= 1
            try DurableFile.write(changed.span, to: path)
            #expect(throws: DeviceFailure.self) { _ = try element.derivedKey(purpose: "keybag") }
        }
        try DurableFile.write(stored.span, to: path)
        #expect(try signs(try stage.open(), key))
    }

    @Test(.enabled(if: SoftwareTPM.hasTools, "tpm2-tools is not installed"))
    func `DP7 the TPM gives an element key to nobody`() throws {
        let element = try stage.open()
        let blob = try #require(TPMBlob(.key, try element.generateKey().blob))
        element.disconnect()
        let place = stage.folder.path
        try Data(blob.object.area).write(to: URL(fileURLWithPath: place + "/key.pub"))
        try Data(blob.object.hidden).write(to: URL(fileURLWithPath: place + "/key.priv"))
        try stage.tool(
            0, "tpm2_createprimary", "-C", "o", "-G", "ecc256:aes128cfb", "-g", "sha256", "-a",
            "restricted|decrypt|fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda", "-c", place + "/parent")
        try stage.tool(0, "tpm2_flushcontext", "-t")
        try stage.tool(
            0, "tpm2_load", "-C", place + "/parent", "-u", place + "/key.pub", "-r", place + "/key.priv", "-c",
            place + "/key")
        try stage.tool(0, "tpm2_flushcontext", "-t")
        try Data(repeating: 1, count: 32).write(to: URL(fileURLWithPath: place + "/digest"))
        // Without the secret of the table it signs nothing.
        let signed = try stage.tpm.run(
            "tpm2_sign",
            ["-c", place + "/key", "-g", "sha256", "-d", place + "/digest", "-o", place + "/signature"])
        #expect(signed.status != 0)
        try stage.tool(0, "tpm2_flushcontext", "-t")
        try stage.tool(0, "tpm2_startauthsession", "-S", place + "/session")
        let duplicated = try stage.tpm.run(
            "tpm2_duplicate",
            [
                "-C", "null", "-c", place + "/key", "-G", "null", "-r", place + "/out", "-s", place + "/seed", "-p",
                "session:" + place + "/session",
            ])
        #expect(duplicated.status != 0)
    }
}

extension TPMStage {
    /// Runs a program of tpm2-tools that must end with `status`.
    func tool(_ status: Int32, _ name: String, _ arguments: String...) throws {
        let answer = try tpm.run(name, arguments)
        try #require(answer.status == status, "\(name) \(arguments): \(answer.output)")
    }
}
