import Foundation
import PavisePrimitives
import Testing

@testable import PaviseProtectedStorage

/// Sealed files that an earlier Pavise wrote, with keys that everybody may know. Each later one opens them: what is
/// sealed today has to be read in ten years. `PAVISE_RECORD=1` writes files that are missing, and never one that is
/// there.
@Suite struct VectorTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Vectors"
    let fixture: StorageFixture
    let container: StorageContainer

    // Keys of the vectors, which Documentation/DataAtRest.md names.
    private static func key(_ protection: ProtectionClass) -> [UInt8] {
        (0..<(protection == .completeUnlessOpen ? 64 : 32)).map { protection.rawValue << 4 ^ UInt8($0) }
    }

    private static let cases: [(name: String, protection: ProtectionClass, count: Int, exponent: UInt8)] = [
        ("a-empty", .complete, 0, 16), ("a-chunk", .complete, 4_096, 12), ("a-two", .complete, 4_097, 12),
        ("b-short", .completeUnlessOpen, 11, 16), ("c-short", .untilFirstUserAuthentication, 11, 16),
        ("d-three", .none, 10_000, 12),
    ]

    init() throws {
        fixture = try StorageFixture()
        let made = try fixture.open()
        try made.keychain.delete(.record)
        var record = ContainerRecord(identifier: Array(0xA0...0xAF))
        for protection in ProtectionClass.allCases {
            let key = SecretBytes(copying: Self.key(protection))
            #expect(try made.keychain.add(key, as: .key(protection)))
            record[protection] = true
        }
        let half = try StorageCrypto.publicHalf(SecretBytes(copying: Self.key(.completeUnlessOpen)))
        #expect(try made.keychain.add(SecretBytes(copying: half), as: .publicKey))
        #expect(try made.keychain.add(record.encoded(), as: .record))
        container = try fixture.open()
    }

    private func content(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test(arguments: 0..<6)
    func `a file of the first format opens with its content and attributes`(_ index: Int) throws {
        let (name, protection, count, exponent) = Self.cases[index]
        let path = "\(Self.folder)/\(name).pvs"
        if ProcessInfo.processInfo.environment["PAVISE_RECORD"] != nil, !DurableFile.exists(path) {
            let id = try container.writeFile(
                name: "vector \(name)", type: "text/plain", modified: 1_700_000_000_000, protection: protection,
                chunkExponent: exponent
            ) { (write: ([UInt8]) throws(StorageFailure) -> Void) throws(StorageFailure) in
                try write(content(count))
            }.get()
            try DurableFile.write(try DurableFile.read(container.path(of: id), limit: 1 << 20), to: path)
        }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let head = try SealedFileHead.decode(bytes).head
        let id = try #require(StoredFileID(Hex.encode(head.file)))
        try DurableFile.write(bytes, to: container.path(of: id))
        let reader = try container.readFile(id)
        #expect(try reader.readAll(limit: 1 << 20) == content(count))
        #expect(reader.protection == protection && reader.chunkSize == 1 << Int(exponent))
        let attributes = reader.attributes
        #expect(attributes.name == "vector \(name)" && attributes.type == "text/plain")
        #expect(attributes.modified == 1_700_000_000_000 && attributes.generation == 1)
    }

    // Made by Conformance/sealed_files.py, which has nothing but the document.
    @Test(arguments: [("a-erasable", ProtectionClass.complete, 5_000), ("b-erasable", .completeUnlessOpen, 11)])
    func `an erasable file of another program opens with its half, and with no other one`(
        _ name: String, _ protection: ProtectionClass, _ count: Int
    ) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(name).pvs")))
        let head = try SealedFileHead.decode(bytes).head
        let id = try #require(StoredFileID(Hex.encode(head.file)))
        #expect(head.isErasable && head.protection == protection)
        func put(_ half: [UInt8]) throws {
            try container.storeHalf(SecretBytes(copying: half), for: head)
            try DurableFile.write(bytes, to: container.path(of: id))
        }
        try put([UInt8](repeating: 0, count: 32))
        #expect(throws: StorageFailure.damaged(.head)) { try container.readFile(id) }
        try container.removeFile(id)
        try put((0..<32).map { 0xE0 ^ UInt8($0) })
        let reader = try container.readFile(id)
        #expect(try reader.readAll(limit: 1 << 20) == content(count))
        #expect(reader.isErasable && reader.attributes.name == "vector \(name)")
        try container.removeFile(id)
        try DurableFile.write(bytes, to: container.path(of: id))
        #expect(throws: StorageFailure.absent) { try container.readFile(id) }
    }

    @Test func `the derived keys are what the document says`() throws {
        let key = try container.copyOfDatabaseKey(.none)
        #expect(Hex.encode(key) == Self.databaseKey)
        #expect(try container.databasePath(of: "nights", .complete).hasSuffix("/database/\(Self.tag).db"))
    }

    // Computed by another program: HKDF and HMAC of Python's standard library over the words of the document.
    private static let databaseKey = "37a2fc4d9a768a14c2edc261fbee05c1db46ea3a2d25fb2f4b3bc1ae3daf6edc"
    private static let tag = "fa5f9d182425f4aadc10caa128b3a3a2"
}
