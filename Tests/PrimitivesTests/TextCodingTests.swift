import PavisePrimitives
import Testing

@Suite struct TextCodingTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `base64url follows RFC 4648 without padding`(_ plain: String, _ text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test(arguments: ["Zg==", "Zg=", "Z", "Zm9vY", "Z g", "Zm+v", "Zm/v", "Zh", "Zm9", "Zm8\n", "é"])
    func `base64url refuses every other text`(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `base64 round trips with padding`() {
        for count in 0..<50 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            let secret = Base64.encode(secret: SecretBytes(copying: bytes))
            let text = secret.withBytes { span in String(decoding: Array(span), as: UTF8.self) }
            #expect(text == Base64.encode(bytes))
        }
        #expect(Base64.decode("Zg") == nil)
        #expect(Base64.decode("Zg=g") == nil)
    }

    @Test(arguments: ["0", "0g", "é0", " 00"])
    func `hexadecimal refuses what is no pair of digits`(_ text: String) { #expect(Hex.decode(text) == nil) }

    @Test func `a reader never reads past the end`() throws {
        var reader = ByteReader([0, 0, 0, 5, 1, 2])
        #expect(throws: ByteReader.Truncated.self) { try reader.block(limit: 100) }
        var huge = ByteReader([0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ByteReader.Truncated.self) { try huge.block(limit: 10) }
    }
}
