import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// Apple's own cases of the engine and of its version parser (vectors/ats).
@Suite(.enabled(if: Vectors.has("ats"), "no vectors in PAVISE_VECTORS: ats")) struct `ATS vectors` {
    private static let file: JSONValue? = try? JSONValue.parse(
        Vectors.read("ats/ats-vectors.json"), limit: 4 << 20, depth: 32)

    static let cases = file?["vectors"]?.array ?? []
    static let versions = file?["minimumTLSVersionStrings"]?.array ?? []

    @Test func `there are as many as published`() {
        #expect(Self.cases.count == 103)
        #expect(Self.versions.count == 13)
    }

    @Test(arguments: cases) func `each target is decided as Apple decides it`(_ vector: JSONValue) throws {
        let isOwn = vector["appleOwnBundle"]?.bool == true
        let keys = vector["appTransportSecurity"].flatMap { $0 == .null ? nil : PropertyListValue(json: $0) }
        let configuration =
            keys == nil && isOwn ? ATSConfiguration(arbitraryLoads: true) : ATSConfiguration(propertyList: keys)
        let target = ATSTarget(
            host: try #require(vector["target"]?.string), isAddress: vector["targetKind"]?.string == "address",
            isDirect: vector["targetIsDirect"]?.bool == true)
        let decision = ATSDecision(target, scheme: .https, configuration: configuration.withBuiltInExceptions)
        let expected = try #require(vector["expected"])
        #expect(decision.isPlainHTTPBlocked == expected["plainHTTPBlocked"]?.bool)
        #expect(decision.parameters.minimumTLSVersion?.rawValue == expected["minimumTLSVersion"]?.string)
        #expect((decision.parameters.suites != .unrestricted) == expected["cipherSuitesRestricted"]?.bool)
    }

    @Test(arguments: versions) func `each version text is read as Apple reads it`(_ vector: JSONValue) {
        let version = vector["text"]?.string.flatMap(ATSVersion.init(rawValue:))
        #expect(version?.rawValue == vector["version"]?.string)
    }
}
