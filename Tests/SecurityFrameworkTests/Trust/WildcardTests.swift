import SecurityFramework
import Testing

/// Which hosts a name with a wildcard serves (RFC 6125 §6.4.3), with the rule about suffixes that needs no list.
@Suite struct WildcardTests {
    private static func serves(_ presented: String, _ host: String) -> Bool {
        ReferenceHostName.matches(reference: host, presented: presented, suffixes: .rule)
    }

    @Test(
        arguments: [
            ("*.example.com", "a.example.com", true), ("*.example.com", "A.Example.COM.", true),
            ("*.example.com", "example.com", false), ("*.example.com", "b.a.example.com", false),
            ("a.*.example.com", "a.b.example.com", false), ("a*.example.com", "ab.example.com", false),
            ("*a.example.com", "ba.example.com", false),
        ] as [(String, String, Bool)])
    func `a wildcard stands for one whole label, the left-most one`(
        _ presented: String, _ host: String, _ isServed: Bool
    ) {
        #expect(Self.serves(presented, host) == isServed)
    }

    @Test(
        arguments: [
            ("*.co.uk", "a.co.uk", false), ("*.com.au", "a.com.au", false), ("*.com", "a.com", false),
            ("*.example.co.uk", "a.example.co.uk", true),
        ] as [(String, String, Bool)])
    func `a wildcard right above a suffix serves nobody, one below it does`(
        _ presented: String, _ host: String, _ isServed: Bool
    ) {
        #expect(Self.serves(presented, host) == isServed)
    }
}
