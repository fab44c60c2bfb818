import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Whose name a wildcard may stand above.
@Suite(.enabled(if: PublicSuffixList() != nil, "libpsl is not here")) struct `Public suffixes` {
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
        #expect(try list().contains(Self.labels(name)) == isSuffix)
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func list() throws -> PublicSuffixList {
        let path = folder.path + "/list.dat"
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: path))
        return try #require(PublicSuffixList(file: path))
    }

    @Test func `without a list the rule refuses more than a list would, and says that it is the rule`() throws {
        let none = PublicSuffix(list: PublicSuffixList(file: folder.path + "/none"))
        #expect(none.reader == nil && none.contains(Self.labels("web.de")))
        let listed = PublicSuffix(list: try list())
        #expect(try #require(listed.reader).hasPrefix("libpsl "))
        #expect(!listed.contains(Self.labels("web.de")) && listed.contains(Self.labels("com")))
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
        let list = PublicSuffix(list: try list())
        #expect(ReferenceHostName.matches(reference: host, presented: presented, suffixes: list) == byList)
        #expect(ReferenceHostName.matches(reference: host, presented: presented, suffixes: .rule) == byRule)
    }

    @Test func `the machine's own list is read whole`() throws {
        let list = try #require(PublicSuffixList())
        for name in ["co.uk", "com.au", "ac.jp", "x.ck", "xn--55qx5d.cn", "a.kawasaki.jp"] {
            #expect(list.contains(Self.labels(name)), "\(name)")
        }
        for name in ["example.com", "github.io", "web.de", "city.kawasaki.jp", "www.ck"] {
            #expect(!list.contains(Self.labels(name)), "\(name)")
        }
    }
}
