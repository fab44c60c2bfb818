import Foundation

/// What this process's listeners hold, as the kernel sees it.
enum HeldConnections {
    /// How many connections that came in at `port` of 127.0.0.1 have a descriptor: neither waiting to be accepted nor
    /// closed.
    static func count(at port: UInt16) throws -> Int {
        // Read to its end: the kernel gives a table of this kind in pieces.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/net/tcp"))
        let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let digits = String(port, radix: 16, uppercase: true)
        let place = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        return table.split(separator: "\n").filter { line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[1] == place else { return false }
            let isListener = columns[3] == "0A"
            return !isListener && columns[9] != "0"
        }.count
    }
}
