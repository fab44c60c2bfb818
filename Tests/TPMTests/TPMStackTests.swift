import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// SecKey and SecItem on a home whose element is a TPM.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed")) struct TPMStackTests {
    let stage: ElementStage
    let environment: SecurityEnvironment
    private static let message = Data("message".utf8)

    init() throws {
        stage = try ElementStage(.tpm)
        var environment = SecurityEnvironment(home: stage.home)
        environment.device = stage.environment
        self.environment = environment
    }

    private func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(environment) { try body() }
    }

    private static let tag = Data("hardware".utf8)

    private static func make() throws -> SecKey {
        let request: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag] as [CFString: Any],
        ]
        let made = unsafe asked { SecKeyCreateRandomKey(request as CFDictionary, $0) }
        return try #require(made.answer)
    }

    private static func find() -> SecKey? {
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true,
        ]
        var result: AnyObject?
        guard unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
        return result as? SecKey
    }

    /// The answer of a function of SecKey, and the code of its error; 0 without one.
    private static func asked<Answer>(
        _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Answer?
    ) -> (answer: Answer?, code: Int) {
        var error: Unmanaged<CFError>?
        let answer = unsafe body(&error)
        guard let error = unsafe error?.takeRetainedValue() else { return (answer, 0) }
        return (answer, CFErrorGetCode(error))
    }

    private static func sign(
        _ key: SecKey, _ name: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256
    ) -> (answer: CFData?, code: Int) {
        unsafe asked { SecKeyCreateSignature(key, name, message as CFData, $0) }
    }

    private static func verifies(
        _ key: SecKey, _ signature: CFData, _ name: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256
    ) -> Bool {
        SecKeyVerifySignature(key, name, message as CFData, signature, nil)
    }

    private static let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

    private static func open(_ packet: Data, _ key: SecKey) -> (answer: CFData?, code: Int) {
        unsafe asked { SecKeyCreateDecryptedData(key, ecies, packet as CFData, $0) }
    }

    private static func seal(_ key: SecKey) -> CFData? {
        unsafe asked { SecKeyCreateEncryptedData(key, ecies, message as CFData, $0) }.answer
    }

    @Test("KEY13: a key in the TPM signs all digests, agrees, opens ECIES, and never leaves")
    func operations() throws {
        try inside {
            let key = try Self.make()
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(try Device.open(stage.home, stage.environment).status.hardware.hasPrefix("TPM 2.0"))
            let exported = unsafe Self.asked { SecKeyCopyExternalRepresentation(key, $0) }
            #expect(exported.code == -4)
            for hash in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"] {
                for format in ["X962", "RFC4754"] {
                    let name = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:message-\(format):\(hash)" as CFString)
                    let signature = try #require(Self.sign(key, name).answer)
                    #expect(Self.verifies(publicKey, signature, name))
                }
            }
            var packet = try #require(Self.seal(publicKey)) as Data
            #expect(Self.open(packet, key).answer as Data? == Self.message)
            packet[packet.count - 1] ^= 1
            #expect(Self.open(packet, key).code == -50)
        }
    }

    @Test("KEY13: a key in the TPM survives restarts and is gone after deletion")
    func lifetime() throws {
        try inside {
            let key = try Self.make()
            try stage.tpm?.restart()
            let found = try #require(Self.find())
            let signature = try #require(Self.sign(found).answer)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(Self.verifies(publicKey, signature))
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: Self.tag]
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
            #expect(Self.find() == nil)
            #expect(Self.sign(found).code == -25300)
        }
    }

    @Test("DP7: without its TPM a home gives nothing, and says why") func absent() throws {
        try inside {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecAttrService: "b",
                kSecValueData: Self.message,
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            let key = try Self.make()
            try stage.tpm?.replace()
            #expect(Self.sign(key).code == Int(errSecNotAvailable))
        }
        #expect(throws: DeviceFailure.self) { try stage.open() }
        // A home made with a TPM is never opened, or made again, without.
        let software = DeviceEnvironment(elements: ElementChoice([.software]), places: [ProcessKeys()])
        #expect(throws: DeviceFailure.elementMissing("TPM 2.0")) { try Device.open(stage.home, software) }
    }

    @Test("DP7: several processes use one TPM without a resource manager at once", .long) func processes() async throws
    {
        let address = try #require(stage.tpm).address
        let home = stage.home.device
        let element = try stage.open().element
        let key = try element.generateKey()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [address = address as String, home = home as String, blob = key.blob as [UInt8]] in
                        let address = try #require(TPMAddress(address))
                        let element = try TPMElement.open(home, at: address, mayCreate: false)
                        for _ in 0..<10 {
                            _ = try element.sign(digest: [UInt8](repeating: 1, count: 32), with: blob)
                            try element.destroy(element.generateKey().blob)
                        }
                    }
                }
            }
        }
        _ = try element.sign(digest: [UInt8](repeating: 1, count: 32), with: key.blob)
    }

    // The stack's own log would hold the root secret, which the TPM unseals.
    @Test func `what the stack's variables ask to be logged is not`() async throws {
        let address = try #require(stage.tpm).address
        let home = stage.home.device
        let log = stage.home.path + "/tss.log"
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [address = address as String, home = home as String, log = log as String] in
            unsafe setenv("TSS2_LOG", "all+trace", 1)
            unsafe setenv("TSS2_LOGFILE", log, 1)
            let address = try #require(TPMAddress(address))
            let element = try TPMElement.open(home, at: address, mayCreate: true)
            _ = try element.sign(digest: [UInt8](repeating: 1, count: 32), with: element.generateKey().blob)
        }
        #expect(!FileManager.default.fileExists(atPath: log))
        // The stack's own lines begin with their level.
        let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(!said.contains("trace:") && !said.contains("debug:"))
    }
}
