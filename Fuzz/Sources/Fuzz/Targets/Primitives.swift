internal import PavisePrimitives

extension FuzzTarget {
    static let primitives = [json, base64, hex, byteReader]

    private static let json = FuzzTarget(
        "json",
        seeds: {
            [
                "{\"a\":[1,-2.5e3,true,null,\"\\u00e9\\ud83d\\ude00\\n\"],\"b\":{\"c\":{}}}", "[]", "0", "\"\"",
                "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", "{\"a\":1,\"a\":2}", "123456789012345678901234567890",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let value = try? JSONValue.parse(bytes) else { return }
            require(
                (try? JSONValue.parse(Array(value.text.utf8), limit: 1 << 20)) == value,
                "the text of a value reads as another")
            require(
                (try? JSONValue.parse(Array(value.prettyText.utf8), limit: 1 << 24)) == value,
                "the pretty text of a value reads as another")
        })

    private static let base64 = FuzzTarget(text: "base64", seeds: ["", "QQ==", "QUI=", "QUJD", "_-8", "=", "Q"]) {
        text in
        if let bytes = Base64.decode(text) { require(Base64.decode(Base64.encode(bytes)) == bytes, "base64") }
        if let bytes = Base64URL.decode(text) { require(Base64URL.encode(bytes) == text, "base64url has two forms") }
    }

    private static let hex = FuzzTarget(text: "hex", seeds: ["", "00", "fF", "abc", "+1"]) { text in
        guard let bytes = Hex.decode(text) else { return }
        require(Hex.encode(bytes) == text.lowercased(), "hexadecimal has two forms")
    }

    // Each input byte chooses what is read next.
    private static let byteReader = FuzzTarget(
        "byte-reader", seeds: { [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [3, 0, 0, 0, 4, 1, 2, 3, 4]] },
        run: { bytes in
            var reader = ByteReader(bytes)
            for choice in bytes {
                switch choice % 5 {
                case 0: _ = try? reader.integer(UInt8.self)
                case 1: _ = try? reader.integer(UInt32.self)
                case 2: _ = try? reader.integer(UInt64.self)
                case 3: _ = try? reader.block(limit: Int(choice))
                default: _ = try? reader.read(Int(choice) - 8)
                }
            }
        })
}
