import Foundation
import PaviseCrypto
import SecurityFramework
import TestSupport
import Testing

@Suite struct TrustAnchorTests {
    @Test func `a root that the administrator added is asked for less than the distribution's`() throws {
        let folder = try TemporaryFolder()
        var fixture = TrustFixture()
        fixture.leaf.notAfter = fixture.leaf.notBefore + 800 * TrustFixture.day
        let chain = try fixture.chain()
        let pem = PEM.text("CERTIFICATE", chain.root)
        try FileManager.default.createDirectory(atPath: folder.path + "/local", withIntermediateDirectories: false)
        try Data(pem.utf8).write(to: URL(fileURLWithPath: folder.path + "/bundle.crt"))
        func verdict() -> TrustVerdict {
            let roots = SystemRoots(bundles: [folder.path + "/bundle.crt"], localFolders: [folder.path + "/local"])
            return ServerTrust.evaluate(
                chain: [chain.leaf, chain.middle], host: TrustFixture.host, at: TrustFixture.now, anchors: roots.read())
        }
        #expect(verdict().failures.map(\.code) == [-67901] && verdict().origin == .system)
        // A folder of anchors may hold both forms.
        for form in [Data(pem.utf8), Data(chain.root)] {
            try form.write(to: URL(fileURLWithPath: folder.path + "/local/own.crt"))
            #expect(verdict().isTrusted && verdict().origin == .administrator)
        }
    }

    @Test func `a root that a variable names is the app's own, unless the machine knows it`() throws {
        let folder = try TemporaryFolder()
        let fixture = TrustFixture()
        let chain = try fixture.chain()
        let pem = Data(PEM.text("CERTIFICATE", chain.root).utf8)
        let other = Data(PEM.text("CERTIFICATE", try TrustFixture().chain().root).utf8)
        for name in ["/named", "/machine"] {
            try FileManager.default.createDirectory(atPath: folder.path + name, withIntermediateDirectories: false)
        }
        try other.write(to: URL(fileURLWithPath: folder.path + "/machine/bundle.crt"))
        try pem.write(to: URL(fileURLWithPath: folder.path + "/named/own.pem"))
        func verdict(_ named: [SystemRoots.Named]) -> TrustVerdict {
            let roots = SystemRoots(bundles: [folder.path + "/machine/bundle.crt"], localFolders: [], named: named)
            return ServerTrust.evaluate(
                chain: [chain.leaf, chain.middle], host: TrustFixture.host, at: TrustFixture.now, anchors: roots.read())
        }
        #expect(!verdict([]).isTrusted)
        for named in [SystemRoots.Named.file(folder.path + "/named/own.pem"), .folder(folder.path + "/named")] {
            #expect(verdict([named]).isTrusted && verdict([named]).origin == .application)
        }
        #expect(!verdict([.file(folder.path + "/machine/bundle.crt")]).isTrusted)
        #expect(SystemRoots(bundles: [], localFolders: [], named: [.file("/nowhere")]).read().count == 0)
        try pem.write(to: URL(fileURLWithPath: folder.path + "/machine/bundle.crt"))
        #expect(verdict([.folder(folder.path + "/named")]).origin == .system)
        #expect(SystemRoots.machine.variables.isEmpty)
        #expect(
            SystemRoots(bundles: [], localFolders: [], named: [.file("a"), .folder("b")]).variables == [
                "SSL_CERT_FILE", "SSL_CERT_DIR",
            ])
    }

    @Test func `a comment that is no UTF-8 hides no root`() throws {
        let folder = try TemporaryFolder()
        let (first, last) = (try TrustFixture().chain().root, try TrustFixture().chain().root)
        // "Für": a bundle is made of whole files, with what an administrator wrote in them.
        let comment = Data([0x23, 0x20, 0x46, 0xFC, 0x72, 0x0A])
        let blocks = [first, last].map { Data(PEM.text("CERTIFICATE", $0).utf8) }
        try (blocks[0] + comment + blocks[1]).write(to: URL(fileURLWithPath: folder.path + "/bundle.crt"))
        #expect(SystemRoots(bundles: [folder.path + "/bundle.crt"], localFolders: []).read().count == 2)
    }

    @Test func `a variable names several folders with colons between them, and never brings the machine's back`() {
        let both = SystemRoots.places(file: "/a.pem", folders: "/b:/c")
        #expect(both == [.file("/a.pem"), .folder("/b"), .folder("/c")])
        let variables = SystemRoots(bundles: [], localFolders: [], named: both).variables
        #expect(variables == ["SSL_CERT_FILE", "SSL_CERT_DIR"])
        #expect(SystemRoots.places(file: nil, folders: ":") == [.folder(":")])
        #expect(SystemRoots.places(file: nil, folders: nil).isEmpty)
    }

    @Test func `without a readable bundle nothing is trusted`() throws {
        let folder = try TemporaryFolder()
        #expect(SystemRoots(bundles: [folder.path + "/none"], localFolders: []).read().count == 0)
        try Data("-----BEGIN CERTIFICATE-----\nno".utf8).write(to: URL(fileURLWithPath: folder.path + "/broken"))
        #expect(SystemRoots(bundles: [folder.path + "/broken"], localFolders: []).read().count == 0)
    }

    @Test func `the same certificate counts once, and what cannot be read not at all`() throws {
        let root = try TrustFixture().chain().root
        #expect(TrustAnchors.only([root, root, [1, 2, 3]]).count == 1)
        #expect(TrustAnchors.only([root]).adding([root]).count == 1)
    }
}
