import PaviseLab
import TestSupport
import Testing

/// The proxy of the program is named by whoever starts it, and by nobody else.
@Suite struct ProxyProcessTests {
    // Nothing listens there.
    private static let closed = "http://127.0.0.1:1"

    @Test(
        arguments: [
            ([:], true), (["https_proxy": closed], true), (["PAVISE_PROXY": closed], false),
            (["PAVISE_PROXY": "environment", "https_proxy": closed], false),
            (["PAVISE_PROXY": "environment", "https_proxy": closed, "no_proxy": "127.0.0.1"], true),
            (["PAVISE_PROXY": "environment"], true), (["PAVISE_PROXY": "ftp://127.0.0.1:1"], false),
        ] as [([String: String], Bool)])
    func `a server is reached through the proxy that PAVISE_PROXY chooses, and straight only without one`(
        _ variables: [String: String], _ isReached: Bool
    ) throws {
        let identity = try CertificateAuthority().issue()
        let server = try LabServer.start(identity) { _ in .text("hello") }
        let pavise = try PaviseProcess(variables: variables)
        let result = try pavise.run("certificate", "show", server.address("/"))
        #expect(result.output.contains(identity.pin) == isReached, "\(result)")
    }
}
