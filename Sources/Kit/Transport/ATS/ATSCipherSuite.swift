/// A cipher suite that ATS speaks of.
public struct ATSCipherSuite: Hashable, Sendable {
    /// The name in IANA's registry, for example `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`.
    public let name: String
    /// The number on the wire.
    public let number: UInt16
    /// The name on OpenSSL's lists.
    package let libraryName: String

    private init(_ number: UInt16, _ name: String, _ libraryName: String? = nil) {
        self.number = number
        self.name = name
        self.libraryName = libraryName ?? name
    }

    /// The thirteen of Apple's current list: TLS 1.3, then ECDHE.
    public static let forwardSecret = [
        ATSCipherSuite(0x1301, "TLS_AES_128_GCM_SHA256"),
        ATSCipherSuite(0x1302, "TLS_AES_256_GCM_SHA384"),
        ATSCipherSuite(0x1303, "TLS_CHACHA20_POLY1305_SHA256"),
        ATSCipherSuite(0xC02C, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"),
        ATSCipherSuite(0xC02B, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        ATSCipherSuite(0xCCA9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"),
        ATSCipherSuite(0xC030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"),
        ATSCipherSuite(0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"),
        ATSCipherSuite(0xCCA8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"),
        ATSCipherSuite(0xC00A, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA"),
        ATSCipherSuite(0xC009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA"),
        ATSCipherSuite(0xC014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ECDHE-RSA-AES256-SHA"),
        ATSCipherSuite(0xC013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"),
    ]

    /// The four that `NSExceptionRequiresForwardSecrecy` = false adds.
    public static let rsaKeyTransport = [
        ATSCipherSuite(0x009D, "TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384"),
        ATSCipherSuite(0x009C, "TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256"),
        ATSCipherSuite(0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"),
        ATSCipherSuite(0x002F, "TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA"),
    ]

    /// The eleven that Apple's documentation of 2016 to 2018 prints; its current code does not offer six of them.
    public static let documented2016 = [
        ATSCipherSuite(0xC02C, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"),
        ATSCipherSuite(0xC02B, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        ATSCipherSuite(0xC024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "ECDHE-ECDSA-AES256-SHA384"),
        ATSCipherSuite(0xC00A, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA"),
        ATSCipherSuite(0xC023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "ECDHE-ECDSA-AES128-SHA256"),
        ATSCipherSuite(0xC009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA"),
        ATSCipherSuite(0xC030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"),
        ATSCipherSuite(0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"),
        ATSCipherSuite(0xC028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "ECDHE-RSA-AES256-SHA384"),
        ATSCipherSuite(0xC027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "ECDHE-RSA-AES128-SHA256"),
        ATSCipherSuite(0xC013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"),
    ]

    /// The six of the documented RSA list of the same years.
    public static let documentedKeyTransport2016 =
        rsaKeyTransport + [
            ATSCipherSuite(0x003D, "TLS_RSA_WITH_AES_256_CBC_SHA256", "AES256-SHA256"),
            ATSCipherSuite(0x003C, "TLS_RSA_WITH_AES_128_CBC_SHA256", "AES128-SHA256"),
        ]
}
