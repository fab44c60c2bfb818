/// Listings that are late, and tags of packed bytes.
extension DAVServer.State {
    /// Keeps what a late listing will show.
    mutating func remember() {
        guard switches.lateListings > 0 else {
            past = []
            return
        }
        past.append(DAVServer.PastTree(nodes: nodes, identities: identities))
        // This request's own state is the last one.
        past.removeFirst(max(0, past.count - 1 - switches.lateListings))
    }

    /// The state that a listing shows: that of some requests ago, or the oldest one that was kept.
    var late: DAVServer.State {
        guard switches.lateListings > 0, let first = past.first else { return self }
        var state = self
        (state.nodes, state.identities) = (first.nodes, first.identities)
        return state
    }
}

extension DAVServer.Switches {
    /// The tag as an answer to a read names it.
    func shown(_ tag: String, to request: LabRequest) -> String {
        let isPacked =
            switch gzipTags {
            case nil: false
            case .everywhere: true
            case .whereAccepted:
                (request.field("Accept-Encoding") ?? "").split(separator: ",")
                    .contains { $0.split(separator: ";").first.map { $0.filter { $0 != " " } } == "gzip" }
            }
        guard isPacked, tag.hasSuffix("\"") else { return tag }
        return tag.dropLast() + "-gzip\""
    }
}
