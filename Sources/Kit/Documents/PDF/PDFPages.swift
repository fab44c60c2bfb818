internal import PavisePrimitives

/// A PDF as pictures of its pages, and its text, made by poppler's own programs in confinement
/// (``ConfinedProcess``): a PDF has scripts, actions, addresses and files in it, and its readers have had mistakes in
/// all of them. What comes back is pictures, which are looked at as any picture is, and a text, which is written anew.
enum PDFPages {
    /// Pages that are shown; the others are left out and told.
    static let most = 100
    /// The longer side of a page, in pixels: A4 at 120 dots an inch.
    private static let side = 1400
    private static let drawer = "/usr/bin/pdftoppm"
    private static let reader = "/usr/bin/pdftotext"

    /// The pictures, the text (`nil` where it could not be read), and whether there were more pages: than are shown, or
    /// than the pictures of all may take (scans).
    static func drawn(
        _ bytes: [UInt8], _ limits: DocumentLimits, layers: ConfinedProcess.Layers = .all
    ) throws(DocumentFailure) -> (pages: [[UInt8]], text: String?, isCut: Bool) {
        // One more than is shown, to know whether there are more.
        let drawn = try run(
            drawer, ["-png", "-scale-to", "\(side)", "-l", "\(most + 1)", "-"], bytes, limits.pictures, layers)
        let pages = pictures(drawn.bytes)
        guard !pages.isEmpty else { throw drawn.isCut ? .bomb : .damaged(.content) }
        return (Array(pages.prefix(most)), text(bytes, limits, layers), drawn.isCut || pages.count > most)
    }

    /// Without its text a page can still be looked at: whatever goes wrong here is told beside the pictures.
    private static func text(
        _ bytes: [UInt8], _ limits: DocumentLimits, _ layers: ConfinedProcess.Layers
    ) -> String? {
        let text = try? run(reader, ["-enc", "UTF-8", "-l", "\(most)", "-", "-"], bytes, limits.page, layers)
        guard let text, !text.isCut else { return nil }
        var writer = PageWriter(limits)
        PlainReader.write(text.bytes, to: &writer)
        return String(decoding: writer.plain, as: UTF8.self)
    }

    private static func run(
        _ program: String, _ arguments: [String], _ bytes: [UInt8], _ output: Int, _ layers: ConfinedProcess.Layers
    ) throws(DocumentFailure) -> (bytes: [UInt8], isCut: Bool) {
        var bounds = ConfinedProcess.Bounds()
        bounds.output = output
        do throws(ConfinedProcess.Failure) {
            return try ConfinedProcess.begin(program, arguments, input: bytes, bounds: bounds, layers: layers)
        } catch {
            throw failure(error)
        }
    }

    static func failure(_ end: ConfinedProcess.Failure) -> DocumentFailure {
        switch end {
        case .notConfined(let left): .unprotected(Set(left.map(protection)))
        case .missing, .system: .pdf
        // Poppler's programs end with 1 for a file that they cannot open, encrypted ones among them.
        case .ended: .damaged(.content)
        case .outOfBounds, .outOfWork: .bomb
        }
    }

    private static func protection(_ gap: ConfinedProcess.Gap) -> DocumentFailure.Protection {
        switch gap {
        case .network: .network
        case .files: .files
        case .processes: .processes
        case .rights: .rights
        }
    }

    /// The pictures that follow each other in one stream (ISO 15948, 5.2 and 5.3: a signature, then chunks with their
    /// lengths up to IEND). What is no picture ends it.
    static func pictures(_ bytes: [UInt8]) -> [[UInt8]] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var found: [[UInt8]] = []
        var start = 0
        while bytes[start...].starts(with: signature) {
            var at = start + signature.count
            var isWhole = false
            while !isWhole, at + 12 <= bytes.count {
                let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
                isWhole = bytes[(at + 4)..<(at + 8)].elementsEqual("IEND".utf8)
                guard length <= bytes.count - at - 12 else { return found }
                at += 12 + length
            }
            guard isWhole else { return found }
            found.append(Array(bytes[start..<at]))
            start = at
        }
        return found
    }
}
