extension ProgramFacts {
    /// Reads a file of any maker: tables are followed within the file and within fixed limits alone.
    package init(_ bytes: [UInt8]) throws(ProgramProblem) {
        let file = FileBytes(bytes: bytes)
        if file.has([0x7F, 0x45, 0x4C, 0x46], at: 0) {
            self = try ELFReader(file).facts()
            return
        }
        self = try MachOReader.facts(of: file)
    }
}
