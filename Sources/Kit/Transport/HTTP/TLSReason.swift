/// OpenSSL's reasons for people.
package enum TLSReason {
    // OpenSSL names an alert after the version that brought it, whatever version is spoken: “sslv3 alert handshake
    // failure”.
    private static let versions = ["sslv3 alert ", "tlsv1 alert ", "tlsv13 alert "]

    /// `text` with the alerts in it named as RFC 8446 §6 does, without a version that nobody speaks.
    package static func plain(_ text: String) -> String {
        versions.reduce(text) { text, version in text.replacing(version, with: "the alert ") }
    }
}
