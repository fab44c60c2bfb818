/// Plain text: lines as they are.
struct PlainReader {
    static func write(_ bytes: [UInt8], to writer: inout PageWriter) {
        let bytes = UTF8Text.normalized(bytes)
        writer.open(.pre)
        append(bytes[...], to: &writer)
        writer.closeAll()
    }

    /// Characters of valid UTF-8.
    static func append(_ slice: ArraySlice<UInt8>, to writer: inout PageWriter) {
        let bytes = Array(slice)
        var at = 0
        while at < bytes.count {
            guard !writer.isFull else { return writer.omit(.rest) }
            let (scalar, next) = UTF8Text.scalar(bytes, at, bytes.count)
            writer.append(scalar)
            at = next
        }
    }
}
