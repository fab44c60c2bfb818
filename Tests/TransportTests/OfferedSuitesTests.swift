import PavisePrimitives
import PaviseTransport
import Testing

/// Which suites of TLS 1.2 are offered when nobody asks for an exception (ATS, RV-L10).
@Suite struct OfferedSuitesTests {
    @Test func `the usual profile has forward secrecy, and its four suites with CBC and SHA-1 stand last`() {
        let suites = TLSClientProfile.ats.suites.split(separator: ":").map(String.init)
        let withSHA1 = suites.filter { $0.hasSuffix("-SHA") }
        #expect(withSHA1.count == 4 && Array(suites.suffix(4)) == withSHA1)
        #expect(suites.allSatisfy { $0.hasPrefix("ECDHE-") })
        #expect(suites.dropLast(4).allSatisfy { $0.contains("-GCM-") || $0.hasSuffix("-CHACHA20-POLY1305") })
        #expect(!TLSClientProfile.ats.signatures.contains("SHA1") && TLSClientProfile.ats.minimumVersion == .tls12)
    }
}
