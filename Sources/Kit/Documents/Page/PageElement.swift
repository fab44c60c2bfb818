/// The elements of a page. There is no other: no script, style, frame, form, drawing, link or raw text, in which a
/// second reading could find another tree than the first.
package enum PageElement: UInt8, CaseIterable, Sendable {
    case p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, dl, dt, dd, table, caption, thead, tbody, tr, td, th, blockquote,
        pre
    case code, strong, em, u, s, sub, sup, span

    /// The element's name.
    package var name: String { "\(self)" }

    /// Whether it stands on lines of its own.
    var isBlock: Bool { rawValue <= Self.pre.rawValue }

    /// What a new one of it ends, and up to where that is looked for.
    private var ends: (elements: Set<PageElement>, within: Set<PageElement>) {
        switch self {
        case .li: ([.li, .p], [.ul, .ol])
        case .dt, .dd: ([.dt, .dd, .p], [.dl])
        case .tr: ([.tr, .td, .th, .p], [.table])
        case .td, .th: ([.td, .th, .p], [.tr, .table])
        case .thead, .tbody: ([.thead, .tbody, .tr, .td, .th], [.table])
        case _ where isBlock: ([.p], [.td, .th, .li, .div, .blockquote, .dd])
        default: ([], [])
        }
    }

    /// What the writer needs of each element, by its number.
    struct Form: Sendable {
        let start: [UInt8]
        let end: [UInt8]
        let ended: UInt64
        let within: UInt64
    }

    static let forms: [Form] = allCases.map { element in
        func bits(_ set: Set<PageElement>) -> UInt64 { set.reduce(0) { $0 | $1.bit } }
        return Form(
            start: Array("<\(element.name)".utf8), end: Array("</\(element.name)>".utf8),
            ended: bits(element.ends.elements), within: bits(element.ends.within))
    }

    var bit: UInt64 { 1 << UInt64(rawValue) }
}

/// The classes of the page's own style sheet.
package enum PageClass: String, CaseIterable, Sendable {
    case link, omitted, quoted, sheet, slide, head
}
