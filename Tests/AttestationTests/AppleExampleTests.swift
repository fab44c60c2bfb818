import PaviseAttestation
import PavisePrimitives
import Testing

/// Apple's own example as known answer (IN14): “Attestation Object Validation Guide” of Apple's documentation of
/// DeviceCheck, made with iOS 27 in April 2026. Team 1234567890, app com.example.myapp, production.
///
/// Certificates and authenticator data are Apple's, byte for byte. The receipt, which is signed for another server and
/// not read here, is left out for its length. In this example the app gave the challenge itself to `attestKey`, and not
/// its SHA-256 as Apple's guide to servers says.
@Suite struct AppleExampleTests {
    private static let keyID = Base64.decode("zgSY9YSD+7TaDXssY6WlOPVS1K3Lmk+pFhlcSWE+ZV0=") ?? []
    private static let challenge = Array("example_server_challenge".utf8)
    // 21 April 2026, 12:00 UTC; the leaf is valid for three days.
    private static let day: Int64 = 1_776_772_800

    private func attestation(_ chain: [String] = [leaf, intermediate], data: [UInt8]? = nil) -> [UInt8] {
        Pen.map([
            ("fmt", Pen.text("apple-appattest")),
            (
                "attStmt",
                Pen.map([
                    ("x5c", Pen.array(chain.map { Pen.bytes(Base64.decode($0) ?? []) })), ("receipt", Pen.bytes([1])),
                ])
            ),
            ("authData", Pen.bytes(data ?? Base64.decode(Self.authenticatorData) ?? [])),
        ])
    }

    private func key(
        _ attestation: [UInt8], of application: String = "1234567890.com.example.myapp",
        in environment: AppAttestVerifier.Environment = .production, at seconds: Int64 = Self.day,
        challenge: [UInt8] = Self.challenge
    ) throws(AppAttestFailure) -> AttestedKey {
        try AppAttestVerifier(application: application, environment: environment).key(
            from: attestation, named: Self.keyID, clientDataHash: challenge, at: seconds)
    }

    @Test func `IN14: Apple's published example leads to Apple's root, and gives its key`() throws {
        let key = try key(attestation())
        #expect(key.counter == 0 && key.receipt == [1] && key.point.count == 65)
        // The end of the key in the authenticator data is that of the certificate.
        #expect(Hex.encode(key.point).hasPrefix("044332544acf323db774443caaf339f56e7e95c724fac2c14259f365e2445650b2"))
    }

    @Test func `IN14: each fact of Apple's example is asked for`() throws {
        let whole = attestation()
        #expect(throws: AppAttestFailure.challenge) { try key(whole, challenge: Array("example".utf8)) }
        #expect(throws: AppAttestFailure.application) { try key(whole, of: "1234567890.com.example.other") }
        #expect(throws: AppAttestFailure.environment) { try key(whole, in: .development) }
        #expect(throws: AppAttestFailure.untrusted) { try key(whole, at: Self.day + 3 * 86_400) }
        #expect(throws: AppAttestFailure.untrusted) { try key(attestation([Self.leaf])) }
        #expect(throws: AppAttestFailure.self) { try key(attestation([Self.intermediate, Self.leaf])) }
        var data = try #require(Base64.decode(Self.authenticatorData))
        for place in data.indices {
            data[place] ^= 1
            #expect(throws: AppAttestFailure.self, "byte \(place)") { try key(attestation(data: data)) }
            data[place] ^= 1
        }
        // The guide's own rule, for which this example is not made.
        let verifier = AppAttestVerifier(application: "1234567890.com.example.myapp")
        #expect(throws: AppAttestFailure.challenge) {
            try verifier.key(from: whole, named: Self.keyID, challenge: Self.challenge, at: Self.day)
        }
    }

    private static let leaf =
        "MIIEHTCCA6OgAwIBAgIGAZ2xPwtOMAoGCCqGSM49BAMCME8xIzAhBgNVBAMMGkFwcGxlIEFwcCBBdHRlc3RhdGlvbiBD"
        + "QSAxMRMwEQYDVQQKDApBcHBsZSBJbmMuMRMwEQYDVQQIDApDYWxpZm9ybmlhMB4XDTI2MDQyMDE4MTMxMloXDTI2MDQy"
        + "MzE4MTMxMlowgZExSTBHBgNVBAMMQGNlMDQ5OGY1ODQ4M2ZiYjRkYTBkN2IyYzYzYTVhNTM4ZjU1MmQ0YWRjYjlhNGZh"
        + "OTE2MTk1YzQ5NjEzZTY1NWQxGjAYBgNVBAsMEUFBQSBDZXJ0aWZpY2F0aW9uMRMwEQYDVQQKDApBcHBsZSBJbmMuMRMw"
        + "EQYDVQQIDApDYWxpZm9ybmlhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEQzJUSs8yPbd0RDyq8zn1bn6VxyT6wsFC"
        + "WfNl4kRWULK1+yhbz1Sby2BZRBLnaCokJ+6tqftS3+0LGrF+0J+pvaOCAiYwggIiMAwGA1UdEwEB/wQCMAAwDgYDVR0P"
        + "AQH/BAQDAgTwMBQGA1UdJQQNMAsGCSqGSIb3Y2QEGDB6BgkqhkiG92NkCAUEbTBrpAMCAQq/iTADAgEAv4kxAwIBAL+J"
        + "MgMCAQC/iTMDAgEAv4k0HgQcMTIzNDU2Nzg5MC5jb20uZXhhbXBsZS5teWFwcL+JNgMCAQS/iTcDAgEAv4k5AwIBAL+J"
        + "OgMCAQC/iTsDAgEAqgMCAQAwgeAGCSqGSIb3Y2QIBwSB0jCBz7+KeAYEBDI3LjC/iFADAgECv4p5CQQHMS4wLjIxNr+K"
        + "ewkEBzI0QTMyNWK/inwGBAQyNy4wv4p9BgQEMjcuML+KfgMCAQC/in8DAgEAv4sAAwIBAL+LAQMCAQC/iwIDAgEAv4sD"
        + "AwIBAL+LBAMCAQG/iwUDAgEAv4sKEAQOMjQuMS4zMjUuMC4yLDC/iwsQBA4yNC4xLjMyNS4wLjIsML+LDBAEDjI0LjEu"
        + "MzI1LjAuMiwwv4gCCgQIaXBob25lb3O/iAUKBAhJbnRlcm5hbDAzBgkqhkiG92NkCAIEJjAkoSIEIIe30G2TpClORvAR"
        + "5mtsxADwurIHKZdsYZWAtCrmC/9uMFgGCSqGSIb3Y2QIBgRLMEmjRwRFMEMMAjExMD0wCgwDb2tkoQMBAf8wCQwCb2Gh"
        + "AwEB/zALDARvc2duoQMBAf8wCwwEb2RlbKEDAQH/MAoMA29ja6EDAQH/MAoGCCqGSM49BAMCA2gAMGUCMCG8x2j20SnJ"
        + "trGuCbw1sk1+NMs/VNm8sRcU4aPhyDNB3mMBdxy8gNza6r91g8v1HQIxAKTqMS+83kFdMob2rD3t9fnNWWLhA8RFOqw6"
        + "4XhXFTEWXqb1ddPoRcYCFlTEqULtPQ=="
    private static let intermediate =
        "MIICQzCCAcigAwIBAgIQCbrF4bxAGtnUU5W8OBoIVDAKBggqhkjOPQQDAzBSMSYwJAYDVQQDDB1BcHBsZSBBcHAgQXR0"
        + "ZXN0YXRpb24gUm9vdCBDQTETMBEGA1UECgwKQXBwbGUgSW5jLjETMBEGA1UECAwKQ2FsaWZvcm5pYTAeFw0yMDAzMTgx"
        + "ODM5NTVaFw0zMDAzMTMwMDAwMDBaME8xIzAhBgNVBAMMGkFwcGxlIEFwcCBBdHRlc3RhdGlvbiBDQSAxMRMwEQYDVQQK"
        + "DApBcHBsZSBJbmMuMRMwEQYDVQQIDApDYWxpZm9ybmlhMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAErls3oHdNebI1j0Dn"
        + "0fImJvHCX+8XgC3qs4JqWYdP+NKtFSV4mqJmBBkSSLY8uWcGnpjTY71eNw+/oI4ynoBzqYXndG6jWaL2bynbMq9FXiEW"
        + "WNVnr54mfrJhTcIaZs6Zo2YwZDASBgNVHRMBAf8ECDAGAQH/AgEAMB8GA1UdIwQYMBaAFKyREFMzvb5oQf+nDKnl+url"
        + "5YqhMB0GA1UdDgQWBBQ+410cBBmpybQx+IR01uHhV3LjmzAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwMDaQAwZgIx"
        + "ALu+iI1zjQUCz7z9Zm0JV1A1vNaHLD+EMEkmKe3R+RToeZkcmui1rvjTqFQz97YNBgIxAKs47dDMge0ApFLDukT5k2Nl"
        + "U/7MKX8utN+fXr5aSsq2mVxLgg35BDhveAe7WJQ5tw=="
    private static let authenticatorData =
        "9EZtaPketsEGIMt+Y8coMkRoXuHWRntUFg51MXIFfwNAAAAAAGFwcGF0dGVzdAAAAAAAAAAAIM4EmPWEg/u02g17LGOl"
        + "pTj1UtSty5pPqRYZXElhPmVdpQECAyYgASFYIEMyVErPMj23dEQ8qvM59W5+lcck+sLBQlnzZeJEVlCyIlggtfsoW89U"
        + "m8tgWUQS52gqJCfuran7Ut/tCxqxftCfqb2id2FwcGxlX2J1bmRsZV92ZXJzaW9uXzAxYTF4HGFwcGxlX3ZhbGlkYXRp"
        + "b25fY2F0ZWdvcnlfMDFEAQAAAA=="
}
