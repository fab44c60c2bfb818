import SecurityFramework
import Testing

/// What errors of the enclave's key say about a code. A code that is wrong costs a try; one that nobody could judge
/// gives it back, so none may be taken for the other.
@Suite struct PINRefusalTests {
    private static let system = "NSOSStatusErrorDomain"
    private static let authentication = "com.apple.LocalAuthentication"
    private static let token = "CryptoTokenKit"

    private static let wrong: [(String, Int)] = [
        (system, -25_293), (authentication, -1), (authentication, -1004), (token, -5), (token, -9),
    ]
    // Locked; "not implemented", which has the number of "authentication failed"; damaged; canceled; another domain.
    private static let unjudged: [(String, Int)] = [
        (system, -25_308), (system, -1), (token, -1), (token, -3), (authentication, -4), (authentication, -2),
        ("org.example", -25_293), ("org.example", -1),
    ]

    @Test(arguments: wrong)
    func `an error that wants another or more authentication says that the code is wrong`(
        _ domain: String, _ code: Int
    ) {
        #expect(PINKeyDerivationBridge.refusal(domain: domain, code: code) == .wrong)
    }

    @Test(arguments: unjudged)
    func `any other error judges no code`(_ domain: String, _ code: Int) {
        let refusal = PINKeyDerivationBridge.refusal(domain: domain, code: code)
        #expect(refusal == .unavailable("The Secure Enclave refused (\(domain) \(code))."))
    }
}
