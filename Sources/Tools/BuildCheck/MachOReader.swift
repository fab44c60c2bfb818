internal import PavisePrimitives

/// Reads a Mach-O file (Apple's `mach-o/loader.h`, `mach-o/fat.h`, `kern/cs_blobs.h`), also one with code of several
/// processors.
struct MachOReader {
    private let file: FileBytes
    private let start: Int
    private let isWide: Bool
    private static let mostCommands = 4096

    /// The first slice, with the others in it.
    static func facts(of file: FileBytes) throws(ProgramProblem) -> ProgramFacts {
        var table = file
        table.isBigEndian = true
        let magic = table.number(0, 4)
        guard magic == 0xCAFE_BABE || magic == 0xCAFE_BABF else { return try slice(file, 0) }
        let isWide = magic == 0xCAFE_BABF
        // A class file of Java begins so too; its version stands where the count does.
        guard let count = table.number(4, 4), (1...32).contains(count) else { throw .otherFormat }
        var slices: [ProgramFacts] = []
        for index in 0..<Int(count) {
            let at = 8 + index * (isWide ? 32 : 20)
            guard let offset = table.offset(at + 8, isWide ? 8 : 4),
                let size = table.offset(at + (isWide ? 16 : 12), isWide ? 8 : 4),
                let part = file.part(offset, size)
            else { throw .damaged("slice \(index)") }
            slices.append(try slice(FileBytes(bytes: Array(part)), 0))
        }
        var first = slices[0]
        first.otherSlices = Array(slices.dropFirst())
        return first
    }

    private static func slice(_ file: FileBytes, _ start: Int) throws(ProgramProblem) -> ProgramFacts {
        var file = file
        for isBig in [false, true] {
            file.isBigEndian = isBig
            if let magic = file.number(start, 4), magic == 0xFEED_FACE || magic == 0xFEED_FACF {
                return try MachOReader(file: file, start: start, isWide: magic == 0xFEED_FACF).read()
            }
        }
        throw .otherFormat
    }

    private func read() throws(ProgramProblem) -> ProgramFacts {
        var facts = ProgramFacts(format: .machO)
        guard let processor = file.number(start + 4, 4), let type = file.number(start + 12, 4),
            let count = file.number(start + 16, 4), count <= Self.mostCommands, let flags = file.number(start + 24, 4)
        else { throw .damaged("the header") }
        facts.processor =
            [0x0100_000C: "arm64", 0x0100_0007: "x86-64", 12: "arm", 7: "x86"][processor] ?? "\(processor)"
        facts.isProgram = type == 2
        facts.isPositionIndependent = type != 2 || flags & 0x20_0000 != 0
        facts.hasExecutableStack = flags & 0x2_0000 != 0
        // The loader of Apple's systems binds all at the start and write-protects it.
        facts.hasReadOnlyRelocations = true
        facts.bindsAtStart = true
        var at = start + (isWide ? 32 : 28)
        var (hasSymbols, hasSignature) = (false, false)
        for index in 0..<Int(count) {
            guard let command = file.number(at, 4), let size = file.offset(at + 4, 4), size >= 8,
                file.part(at, size) != nil
            else { throw .damaged("command \(index)") }
            if command == 0x2 {
                guard !hasSymbols else { throw .doubled("table of symbols") }
                hasSymbols = true
            }
            if command == 0x1D {
                guard !hasSignature else { throw .doubled("signature") }
                hasSignature = true
            }
            read(command & 0x7FFF_FFFF, at, size, &facts)
            at += size
        }
        return facts
    }

    private func read(_ command: UInt64, _ at: Int, _ size: Int, _ facts: inout ProgramFacts) {
        switch command {
        case 0x19, 0x1: segment(at, isWide: command == 0x19, &facts)
        case 0x2: symbols(at, &facts)
        // Also one that is loaded weakly, handed on, loaded at its first use, or needs the program itself.
        case 0xC, 0x18, 0x1F, 0x20, 0x23: if let name = text(at, size) { facts.libraries.append(name) }
        // A variable of the loader, which names folders too, has the same form.
        case 0x1C, 0x27: if let path = text(at, size) { facts.searchPaths.append(path) }
        case 0x1B: facts.identity = file.part(at + 8, 16).map { Hex.encode($0) }
        case 0x1D: (facts.entitlements, facts.entitlementNames) = entitlements(at)
        default: break
        }
    }

    private func text(_ at: Int, _ size: Int) -> String? {
        guard let offset = file.offset(at + 8, 4), offset < size else { return nil }
        return file.text(at + offset, limit: size - offset)
    }

    private func segment(_ at: Int, isWide: Bool, _ facts: inout ProgramFacts) {
        let name = file.text(at + 8, limit: 17) ?? ""
        if name.hasPrefix("__DWARF") { facts.hasDebugInformation = true }
        if let rights = file.number(at + (isWide ? 60 : 44), 4), rights & 6 == 6 { facts.hasWritableCode = true }
    }

    private func symbols(_ at: Int, _ facts: inout ProgramFacts) {
        guard let table = file.offset(at + 8, 4), let count = file.number(at + 12, 4),
            let strings = file.offset(at + 16, 4)
        else { return }
        let entry = isWide ? 16 : 12
        for index in 0..<Int(min(count, 65_536)) {
            let symbol = start + table + index * entry
            guard let name = file.offset(symbol, 4), let type = file.number(symbol + 4, 1) else { return }
            // A name of the debugger, or one of the file's own that nobody else sees.
            if type & 0xE0 != 0 { facts.hasDebugInformation = true }
            if type & 0x0F == 0x0E { facts.hasSymbols = true }
            if type & 0x0E == 0, type & 1 == 1, name > 0, let text = file.text(start + strings + name) {
                facts.imports.insert(text.hasPrefix("_") ? String(text.dropFirst()) : text)
            }
        }
    }

    // A signature is big-endian, whatever the file is: a table of blobs, of which 5 is the property list of
    // entitlements and 7 the same in DER, which newer systems go by. What is there and cannot be read is a list that
    // cannot be read: an empty text. `nil` and no names say that there is none.
    private func entitlements(_ at: Int) -> (list: String?, names: Set<String>) {
        var blob = file
        blob.isBigEndian = true
        guard let base = file.offset(at + 8, 4).map({ start + $0 }), blob.number(base, 4) == 0xFADE_0CC0,
            let count = blob.number(base + 8, 4), count <= 64
        else { return ("", []) }
        var list: String?
        var names: Set<String> = []
        for index in 0..<Int(count) {
            let entry = base + 12 + index * 8
            guard let kind = blob.number(entry, 4) else { return ("", []) }
            guard kind == 5 || kind == 7 else { continue }
            let magic: UInt64 = kind == 5 ? 0xFADE_7171 : 0xFADE_7172
            guard let inner = blob.offset(entry + 4, 4), blob.number(base + inner, 4) == magic,
                let size = blob.offset(base + inner + 4, 4), size >= 8,
                let content = blob.part(base + inner + 8, size - 8)
            else { return ("", []) }
            if kind == 5 {
                guard list == nil else { return ("", []) }
                list = String(decoding: content, as: UTF8.self)
            } else {
                guard let found = EntitlementNames.inDER(content) else { return ("", []) }
                names.formUnion(found)
            }
        }
        return (list, names)
    }
}
