import PaviseTransport
import Testing

@Suite struct TLSReasonTests {
    @Test(arguments: [
        ("sslv3 alert handshake failure", "the alert handshake failure"),
        ("tlsv1 alert protocol version", "the alert protocol version"),
        ("tlsv13 alert certificate required", "the alert certificate required"),
        (
            "error:0A000412:SSL routines::sslv3 alert bad certificate",
            "error:0A000412:SSL routines::the alert bad certificate"
        ),
        ("unsupported protocol", "unsupported protocol"),
    ])
    func `name no version of TLS that nobody speaks`(_ text: String, _ plain: String) {
        #expect(TLSReason.plain(text) == plain)
    }
}
