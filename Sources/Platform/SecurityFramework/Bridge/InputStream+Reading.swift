package import Foundation

extension InputStream {
    /// Reads everything that the stream has.
    ///
    /// - Returns: `nil` when the stream fails or has more than `limit` bytes.
    package func readEverything(limit: Int) -> [UInt8]? {
        open()
        defer { close() }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(&piece, maxLength: piece.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            guard bytes.count + count <= limit else { return nil }
            bytes += piece.prefix(count)
        }
    }
}
