import PaviseCrypto
import SecurityFramework
import Testing

/// RFC 5280 §6.1: the policies that authorities demand.
@Suite struct `Policies of a path` {
    static let one: [UInt8] = [6, 2, 0x2A, 3]
    static let two: [UInt8] = [6, 2, 0x2A, 4]
    static let any: [UInt8] = [6, 4, 0x55, 0x1D, 0x20, 0]

    private static func policies(_ identifiers: [UInt8]...) -> String {
        hex(DEREncoding.element(0x30, identifiers.flatMap { DEREncoding.element(0x30, $0) }))
    }

    private static func mapping(_ issuer: [UInt8], _ subject: [UInt8]) -> String {
        hex(DEREncoding.element(0x30, DEREncoding.element(0x30, issuer + subject)))
    }

    private static func hex(_ bytes: [UInt8]) -> String { `Timestamps in chains`.hex(bytes) }

    /// What is found when middle and leaf have these extensions.
    private static func codes(
        middle: KeyValuePairs<String, String?>, leaf: KeyValuePairs<String, String?> = [:]
    ) throws -> [Int32] {
        var fixture = TrustFixture()
        for (name, value) in middle { fixture.middle.set(name, value) }
        for (name, value) in leaf { fixture.leaf.set(name, value) }
        return try fixture.chain().verdict().failures.map(\.code)
    }

    // requireExplicitPolicy: 0.
    private static let required = "DER:3003800100"

    @Test func `where an authority demands a policy, a leaf without one is refused, critical or not`() throws {
        #expect(try Self.codes(middle: ["2.5.29.36": Self.required]) == [-67835])
        #expect(try Self.codes(middle: ["2.5.29.36": "critical,\(Self.required)"]) == [-67835])
        #expect(
            try Self.codes(
                middle: ["2.5.29.36": Self.required, "2.5.29.32": Self.policies(Self.one)],
                leaf: ["2.5.29.32": Self.policies(Self.one)]
            ).isEmpty)
        #expect(
            try Self.codes(
                middle: ["2.5.29.36": Self.required, "2.5.29.32": Self.policies(Self.one)],
                leaf: ["2.5.29.32": Self.policies(Self.two)]) == [-67835])
    }

    @Test func `the demand begins after as many certificates as it says`() throws {
        // requireExplicitPolicy: 1 and 2. The leaf is the next certificate, and the end counts one more.
        #expect(try Self.codes(middle: ["2.5.29.36": "DER:3003800101"]) == [-67835])
        #expect(try Self.codes(middle: ["2.5.29.36": "DER:3003800102"]).isEmpty)
    }

    @Test func `nobody demands a policy by default`() throws {
        #expect(
            try Self.codes(
                middle: ["2.5.29.32": Self.policies(Self.one)], leaf: ["2.5.29.32": Self.policies(Self.two)]
            ).isEmpty)
    }

    @Test func `any policy stands for all, unless that is forbidden`() throws {
        let leaf: KeyValuePairs<String, String?> = ["2.5.29.32": Self.policies(Self.any)]
        let open: KeyValuePairs<String, String?> = [
            "2.5.29.36": Self.required, "2.5.29.32": Self.policies(Self.any),
        ]
        let closed: KeyValuePairs<String, String?> = [
            "2.5.29.36": Self.required, "2.5.29.32": Self.policies(Self.any), "2.5.29.54": "DER:020100",
        ]
        #expect(try Self.codes(middle: open, leaf: leaf).isEmpty)
        #expect(try Self.codes(middle: closed, leaf: leaf) == [-67835])
        #expect(try Self.codes(middle: closed, leaf: ["2.5.29.32": Self.policies(Self.one)]).isEmpty)
    }

    @Test func `a mapped policy counts under its new name alone, and any policy is never mapped`() throws {
        func codes(_ map: String, _ leaf: [UInt8], constraints: String = Self.required) throws -> [Int32] {
            try Self.codes(
                middle: ["2.5.29.36": constraints, "2.5.29.32": Self.policies(Self.one), "2.5.29.33": map],
                leaf: ["2.5.29.32": Self.policies(leaf)])
        }
        #expect(try codes(Self.mapping(Self.one, Self.two), Self.two).isEmpty)
        #expect(try codes(Self.mapping(Self.one, Self.two), Self.one) == [-67835])
        #expect(try codes(Self.mapping(Self.any, Self.two), Self.two) == [-67835])
    }

    @Test func `what cannot be read is refused`() throws {
        #expect(try Self.codes(middle: ["2.5.29.36": "DER:3000"]) == [-67618])
        #expect(try Self.codes(middle: ["2.5.29.33": "DER:3000"]) == [-67618])
        #expect(try Self.codes(middle: ["2.5.29.54": "DER:0500"]) == [-67618])
    }
}
