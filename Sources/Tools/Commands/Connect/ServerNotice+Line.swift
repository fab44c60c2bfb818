internal import PaviseTransport

extension ServerNotice {
    /// The line for a person.
    var line: Report.Part {
        switch self {
        case .renewed(let origin, .renewedValid):
            .line(
                "Note: \(origin) has another key and another authority. Its certificate is valid, which is enough here."
            )
        case .renewed(let origin, _):
            .line("Note: \(origin) has another key. The authority that vouched for the old one vouches for it.")
        case .notKept(let origin, let words):
            .line(
                "Note: what \(origin) showed could not be kept (\(Printable.text(words))). "
                    + "The next change of its certificate may go unnoticed.")
        }
    }
}
