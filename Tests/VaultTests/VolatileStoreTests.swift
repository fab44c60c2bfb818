import PavisePrimitives
import PaviseVault
import Testing

/// What previews and tests of an app stand on where there is no keychain.
@Suite struct VolatileStoreTests {
    private let ann = ItemName(checkedService: "test", "ann")
    private let bob = ItemName(checkedService: "test", "bob")

    @Test("the store keeps, replaces and removes by name, and adds nothing twice")
    func store() throws {
        let store = VolatileStore()
        #expect(textOf(try store.read(ann)) == nil)
        try store.add(Array("one".utf8).span, as: ann)
        #expect(throws: VaultFailure.duplicate) { try store.add(Array("two".utf8).span, as: ann) }
        #expect(textOf(try store.read(ann)) == "one")
        try store.replace(Array("three".utf8).span, as: ann)
        try store.replace(Array("four".utf8).span, as: bob)
        #expect(textOf(try store.read(ann)) == "three")
        try store.delete(ann)
        try store.delete(ann)
        #expect(textOf(try store.read(ann)) == nil)
        #expect(textOf(try store.read(bob)) == "four")
    }

    @Test("a volatile vault seals, tells absent from lost, and shares nothing with another one")
    func vault() throws {
        let vault = TokenVault.volatile()
        #expect(throws: VaultFailure.keyLost) { try vault.store([1].span, as: ann) }
        try vault.prepare()
        try vault.store(Array("a secret".utf8).span, as: ann)
        #expect(textOf(try vault.read(ann)) == "a secret")
        #expect(textOf(try vault.read(bob)) == nil)
        let other = TokenVault.volatile()
        try other.prepare()
        #expect(textOf(try other.read(ann)) == nil)
        try vault.destroyKey()
        #expect(throws: VaultFailure.keyLost) { _ = try vault.read(ann) }
        try vault.prepare()
        #expect(throws: VaultFailure.corrupt(.packet)) { _ = try vault.read(ann) }
    }

    @Test("the key opens what it sealed and nothing that was changed, and does not show it")
    func key() throws {
        let key = VolatileKey()
        try key.prepare()
        let packet = try key.seal(Array("a secret".utf8).span)
        #expect(!String(decoding: packet, as: UTF8.self).contains("secret"))
        let isSame = try key.open(packet.span).matches(SecretBytes(utf8: "a secret"))
        #expect(isSame)
        for index in packet.indices {
            var changed = packet
            changed[index] ^= 1
            #expect(throws: VaultFailure.corrupt(.packet)) { _ = try key.open(changed.span) }
        }
    }
}
