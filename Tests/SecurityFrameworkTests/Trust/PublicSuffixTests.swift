import Foundation
import PaviseCrypto
import SecurityFramework
import TestSupport
import Testing

/// Whose name a wildcard may stand above.
@Suite struct `Public suffixes` {
    private static let text = """
        // a comment
        net
        // ===BEGIN ICANN DOMAINS===
        com
        uk
        co.uk
        *.ck
        !www.ck
        公司.cn
        Å.no   what follows a blank does not count
        // ===END ICANN DOMAINS===
        // ===BEGIN PRIVATE DOMAINS===
        github.io
        // ===END PRIVATE DOMAINS===
        """

    private static func labels(_ name: String) -> ArraySlice<String> {
        name.split(separator: ".").map(String.init)[...]
    }

    @Test(
        arguments: [
            ("co.uk", true), ("a.co.uk", false), ("a.uk", false), ("x.ck", true), ("www.ck", false), ("a.x.ck", false),
            ("xn--55qx5d.cn", true), ("xn--5cab8c.cn", false), ("xn--5ca.no", true), ("github.io", false),
            ("web.de", false), ("net.net", false),
        ] as [(String, Bool)])
    func `the rules of a list are names, wildcards and exceptions of its first section`(
        _ name: String, _ isSuffix: Bool
    ) throws {
        let list = try #require(PublicSuffixList(Array(Self.text.utf8)))
        #expect(list.contains(Self.labels(name)) == isSuffix)
    }

    @Test func `what is cut off, empty, too large or no text is no list`() {
        let bytes = Array(Self.text.utf8)
        #expect(PublicSuffixList([]) == nil && PublicSuffixList(bytes + [0xFF]) == nil)
        #expect(PublicSuffixList(Array(bytes.prefix(bytes.count / 2))) == nil)
        let many = (0...50_000).map { "a\($0).com\n" }.joined()
        let head = "// ===BEGIN ICANN DOMAINS===\n", tail = "// ===END ICANN DOMAINS===\n"
        #expect(PublicSuffixList(Array((head + many + tail).utf8)) == nil)
        #expect(PublicSuffixList(Array((head + "com\n" + tail).utf8))?.count == 1)
        #expect(PublicSuffixList([UInt8](repeating: 0x20, count: PublicSuffixList.maximumSize + 1)) == nil)
    }

    @Test func `without a list the rule refuses more than a list would, and says that it is the rule`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/list.dat"
        #expect(PublicSuffix(files: [file]).path == nil)
        #expect(PublicSuffix(files: [file]).contains(Self.labels("web.de")))
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: file))
        let listed = PublicSuffix(files: [folder.path + "/none", file])
        #expect(listed.path == file && !listed.contains(Self.labels("web.de")) && listed.contains(Self.labels("com")))
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: file))
        #expect(PublicSuffix(files: [file]).path == nil)
    }

    @Test(
        arguments: [
            ("*.co.uk", "a.co.uk", false, false), ("*.x.ck", "a.x.ck", false, true),
            ("*.www.ck", "a.www.ck", true, true),
            ("*.web.de", "a.web.de", true, false), ("*.com", "a.com", false, false),
            ("*.example.co.uk", "a.example.co.uk", true, true), ("*.github.io", "me.github.io", true, true),
            ("*.xn--55qx5d.cn", "a.xn--55qx5d.cn", false, true),
        ] as [(String, String, Bool, Bool)])
    func `a wildcard right above a suffix serves nobody`(
        _ presented: String, _ host: String, _ byList: Bool, _ byRule: Bool
    ) throws {
        let folder = try TemporaryFolder()
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: folder.path + "/list.dat"))
        let list = PublicSuffix(files: [folder.path + "/list.dat"])
        #expect(ReferenceHostName.matches(reference: host, presented: presented, suffixes: list) == byList)
        #expect(ReferenceHostName.matches(reference: host, presented: presented, suffixes: .rule) == byRule)
    }

    @Test(.enabled(if: PublicSuffix.current.path != nil))
    func `the machine's own list is read whole`() throws {
        let path = try #require(PublicSuffix.current.path)
        let list = try #require(PublicSuffixList(Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
        #expect(list.count > 5_000)
        for name in ["co.uk", "com.au", "ac.jp", "x.ck", "xn--55qx5d.cn", "kawasaki.jp"] {
            #expect(list.contains(Self.labels(name)) == (name != "kawasaki.jp"), "\(name)")
        }
        for name in ["example.com", "github.io", "web.de", "city.kawasaki.jp"] {
            #expect(!list.contains(Self.labels(name)), "\(name)")
        }
        #expect(list.contains(Self.labels("a.kawasaki.jp")))
    }
}
