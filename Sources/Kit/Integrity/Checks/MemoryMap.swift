/// The mappings of a process, as `/proc/self/maps` tells them (proc_pid_maps(5)).
package struct MemoryMap: Hashable, Sendable {
    /// One mapping.
    package struct Mapping: Hashable, Sendable {
        package let start: UInt64
        package let end: UInt64
        package let isExecutable: Bool
        package let isWritable: Bool
        /// The path, or a name in brackets, or nothing; without the kernel's “ (deleted)”.
        package let name: String
        package let isDeleted: Bool

        /// Whether the name is of a file that exists in memory alone.
        package var isMemoryFile: Bool {
            name.hasPrefix("/memfd:") || name.hasPrefix("/dev/zero") || name.hasPrefix("/SYSV")
        }
    }

    /// In the order of the addresses.
    package let mappings: [Mapping]

    /// Reads the text; `nil` where a line is none of the kernel's.
    package init?(_ text: String) {
        var found: [Mapping] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let mapping = Mapping(line) else { return nil }
            found.append(mapping)
        }
        guard !found.isEmpty else { return nil }
        mappings = found
    }
}

extension MemoryMap.Mapping {
    // 7f00-7f10 r-xp 00000000 08:01 1234     /usr/lib/x.so (deleted)
    init?(_ line: Substring.UTF8View.SubSequence) {
        let blank = UInt8(ascii: " ")
        let fields = line.split(separator: blank, maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count >= 5, let dash = fields[0].firstIndex(of: UInt8(ascii: "-")),
            let start = UInt64(String(decoding: fields[0][..<dash], as: UTF8.self), radix: 16),
            let end = UInt64(String(decoding: fields[0][fields[0].index(after: dash)...], as: UTF8.self), radix: 16),
            start < end, fields[1].count == 4
        else { return nil }
        let rights = Array(fields[1])
        let name = fields.count > 5 ? Self.unescaped(fields[5].drop { $0 == blank }) : ""
        let mark = " (deleted)"
        let isDeleted = name.hasSuffix(mark)
        let path: Substring = isDeleted ? name.prefix(name.count - mark.count) : name[...]
        self.init(
            start: start, end: end, isExecutable: rights[2] == UInt8(ascii: "x"),
            isWritable: rights[1] == UInt8(ascii: "w"),
            name: String(path), isDeleted: isDeleted)
    }

    // A line end in a path is written \012.
    private static func unescaped(_ name: Substring.UTF8View.SubSequence) -> String {
        let text = String(decoding: name, as: UTF8.self)
        guard text.contains("\\012") else { return text }
        var out = ""
        var rest = text[...]
        while let next = rest.first {
            if rest.hasPrefix("\\012") {
                out.append("\n")
                rest = rest.dropFirst(4)
            } else {
                out.append(next)
                rest = rest.dropFirst()
            }
        }
        return out
    }
}
