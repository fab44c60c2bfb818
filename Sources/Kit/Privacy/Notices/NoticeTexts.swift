extension Notice {
    /// The words of a notice: what the app has for its key, with the parameters in the places of `%@`.
    ///
    /// A place without a parameter is left empty, a parameter without a place is left out.
    package func words(_ texts: (String) -> String) -> (title: String, body: String) {
        var left = parameters.map(\.text)[...]
        let parts = texts(key + ".body").split(separator: "%@", omittingEmptySubsequences: false)
        let body = parts.enumerated().map { index, part in
            index == 0 ? String(part) : (left.popFirst() ?? "") + part
        }
        return (texts(key + ".title"), body.joined())
    }
}
