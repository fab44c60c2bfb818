/// An entry in the form of journald's native protocol (systemd, "Native Journal Protocol"): `NAME=value` and a line
/// end, or the name, a line end, the value's length in 8 bytes little-endian, the value and a line end where the
/// value holds a line end itself.
package enum JournalEncoder {
    /// The fields of an entry.
    package static func encode(_ entry: LogEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.text.count + 160)
        append("MESSAGE", entry.text, to: &bytes)
        append("PRIORITY", [UInt8(ascii: "0") + entry.level.severity], to: &bytes)
        append("SYSLOG_IDENTIFIER", Array(entry.subsystem.description.utf8), to: &bytes)
        append("PAVISE_CATEGORY", Array(entry.category.description.utf8), to: &bytes)
        return bytes
    }

    /// Appends one field.
    package static func append(_ name: StaticString, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes += name.description.utf8
        if value.contains(10) {
            bytes.append(10)
            var length = UInt64(value.count)
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: length))
                length >>= 8
            }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(10)
    }
}
