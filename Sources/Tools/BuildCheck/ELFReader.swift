internal import PavisePrimitives

/// Reads an ELF file (System V ABI, gabi chapters 4 and 5; Linux extensions of elf(5)).
struct ELFReader {
    private struct Part {
        let type: UInt64
        let flags: UInt64
        let offset: Int
        let address: UInt64
        let size: Int
    }

    private let file: FileBytes
    private let isWide: Bool
    private static let mostParts = 4096
    private static let mostEntries = 65_536

    init(_ file: FileBytes) throws(ProgramProblem) {
        guard let width = file.number(4, 1), let order = file.number(5, 1), (1...2).contains(width),
            (1...2).contains(order)
        else { throw .damaged("the header") }
        var file = file
        file.isBigEndian = order == 2
        self.file = file
        isWide = width == 2
    }

    func facts() throws(ProgramProblem) -> ProgramFacts {
        var facts = ProgramFacts(format: .elf)
        guard let type = file.number(16, 2), let machine = file.number(18, 2) else { throw .damaged("the header") }
        facts.processor = [62: "x86-64", 183: "arm64", 3: "x86", 40: "arm", 243: "riscv"][machine] ?? "\(machine)"
        let parts = try parts()
        // Without the note a stack is executable.
        let stack = parts.first { $0.type == 0x6474_E551 }
        facts.hasExecutableStack = stack.map { $0.flags & 1 != 0 } ?? true
        facts.hasWritableCode = parts.contains { $0.type == 1 && $0.flags & 3 == 3 }
        facts.hasReadOnlyRelocations = parts.contains { $0.type == 0x6474_E552 }
        let hasInterpreter = parts.contains { $0.type == 3 }
        try readDynamic(parts, &facts)
        facts.isProgram = facts.isProgram || hasInterpreter || type == 2
        facts.isPositionIndependent = type == 3
        try readSections(&facts)
        facts.identity = identity(parts)
        return facts
    }

    private func parts() throws(ProgramProblem) -> [Part] {
        guard let table = file.offset(isWide ? 32 : 28, isWide ? 8 : 4), let size = file.number(isWide ? 54 : 42, 2),
            let count = file.number(isWide ? 56 : 44, 2), count <= Self.mostParts, size >= (isWide ? 56 : 32)
        else { throw .damaged("the table of parts") }
        var parts: [Part] = []
        for index in 0..<Int(count) {
            let at = table + index * Int(size)
            guard let type = file.number(at, 4), let flags = file.number(at + (isWide ? 4 : 24), 4),
                let offset = file.offset(at + (isWide ? 8 : 4), isWide ? 8 : 4),
                let address = file.number(at + (isWide ? 16 : 8), isWide ? 8 : 4),
                let length = file.offset(at + (isWide ? 32 : 16), isWide ? 8 : 4)
            else { throw .damaged("part \(index)") }
            parts.append(Part(type: type, flags: flags, offset: offset, address: address, size: length))
        }
        return parts
    }

    private func position(of address: UInt64, _ parts: [Part]) -> Int? {
        for part in parts where part.type == 1 && address >= part.address {
            let inside = address - part.address
            if inside < UInt64(part.size) { return part.offset + Int(inside) }
        }
        return nil
    }

    private func readDynamic(_ parts: [Part], _ facts: inout ProgramFacts) throws(ProgramProblem) {
        guard let dynamic = parts.first(where: { $0.type == 2 }) else { return }
        let word = isWide ? 8 : 4
        var entries: [(tag: UInt64, value: UInt64)] = []
        for index in 0..<min(dynamic.size / (2 * word), Self.mostEntries) {
            let at = dynamic.offset + index * 2 * word
            guard let tag = file.number(at, word), let value = file.number(at + word, word) else {
                throw .damaged("the dynamic section")
            }
            if tag == 0 { break }
            entries.append((tag, value))
        }
        let first = { (tag: UInt64) in entries.first { $0.tag == tag }?.value }
        let flags = (first(30) ?? 0, first(0x6FFF_FFFB) ?? 0)
        facts.bindsAtStart = first(24) != nil || flags.0 & 8 != 0 || flags.1 & 1 != 0
        facts.hasTextRelocations = first(22) != nil || flags.0 & 4 != 0
        facts.isProgram = flags.1 & 0x0800_0000 != 0
        guard let strings = first(5).flatMap({ position(of: $0, parts) }) else { return }
        let name = { (value: UInt64) in value < 1 << 31 ? file.text(strings + Int(value)) : nil }
        for entry in entries where Self.named.contains(entry.tag) {
            guard let text = name(entry.value) else { throw .damaged("the table of strings") }
            switch entry.tag {
            case 15, 29: facts.searchPaths += Self.paths(text)
            default: facts.libraries += text.split(separator: ":").map(String.init)
            }
        }
    }

    // Needed libraries, folders, and what the loader loads besides: to stand in for the file, or to watch it
    // (rtld-audit(7)).
    private static let named: Set<UInt64> = [1, 15, 29, 0x7FFF_FFFD, 0x7FFF_FFFF, 0x6FFF_FEFB, 0x6FFF_FEFC]

    // An element without a name is the folder in which the program is started, as ld.so(8) has it; an empty list is
    // none.
    private static func paths(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
    }

    private func readSections(_ facts: inout ProgramFacts) throws(ProgramProblem) {
        guard let table = file.offset(isWide ? 40 : 32, isWide ? 8 : 4), table > 0,
            let size = file.number(isWide ? 58 : 46, 2).map(Int.init), size >= (isWide ? 64 : 40),
            let count = file.number(isWide ? 60 : 48, 2).map(Int.init),
            let names = file.number(isWide ? 62 : 50, 2).map(Int.init)
        else { return }
        let header = { (index: Int) -> (name: Int, type: UInt64, offset: Int, size: Int, link: Int)? in
            let at = table + index * size
            guard let name = file.offset(at, 4), let type = file.number(at + 4, 4),
                let offset = file.offset(at + (isWide ? 24 : 16), isWide ? 8 : 4),
                let length = file.number(at + (isWide ? 32 : 20), isWide ? 8 : 4), length < 1 << 40,
                let link = file.number(at + (isWide ? 40 : 24), 4)
            else { return nil }
            return (name, type, offset, Int(length), Int(link))
        }
        guard names < count, let strings = header(names) else { return }
        var hasImports = false
        for index in 0..<count {
            guard let section = header(index) else { throw .damaged("section \(index)") }
            let name = file.text(strings.offset + section.name) ?? ""
            if section.type == 2 { facts.hasSymbols = true }
            if name.hasPrefix(".debug_") || name.hasPrefix(".zdebug_") { facts.hasDebugInformation = true }
            if section.type == 11, section.link < count, let texts = header(section.link) {
                guard !hasImports else { throw .doubled("table of dynamic symbols") }
                hasImports = true
                facts.imports = imports(section.offset, section.size, texts.offset)
            }
        }
    }

    private func imports(_ table: Int, _ size: Int, _ strings: Int) -> Set<String> {
        let entry = isWide ? 24 : 16
        var names: Set<String> = []
        for index in 0..<min(size / entry, Self.mostEntries) {
            let at = table + index * entry
            guard let name = file.number(at, 4), let section = file.number(at + (isWide ? 6 : 14), 2), section == 0,
                name > 0, name < 1 << 31, let text = file.text(strings + Int(name))
            else { continue }
            names.insert(text)
        }
        return names
    }

    // The note of type 3 of “GNU”.
    private func identity(_ parts: [Part]) -> String? {
        var left = Self.mostEntries
        for part in parts where part.type == 4 {
            var at = part.offset
            let end = part.offset + part.size
            while left > 0, at + 12 <= end, let nameSize = file.offset(at, 4), let size = file.offset(at + 4, 4),
                let type = file.number(at + 8, 4)
            {
                left -= 1
                let content = at + 12 + (nameSize + 3) & ~3
                if type == 3, nameSize == 4, let bytes = file.part(content, size), size <= 64 {
                    return Hex.encode(bytes)
                }
                at = content + (size + 3) & ~3
            }
        }
        return nil
    }
}
