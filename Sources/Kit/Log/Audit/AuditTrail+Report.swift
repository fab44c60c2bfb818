extension AuditTrail {
    /// A trail as it was read.
    public struct Report: Hashable, Sendable {
        /// The entries that are authentic, oldest first.
        public var entries: [AuditEntry] = []
        /// What is wrong; empty for a trail that is whole.
        public var problems: [Problem] = []

        /// The entries as JSON lines (one object on a line).
        public var jsonLines: String { entries.map { $0.json + "\n" }.joined() }
    }

    /// What can be wrong with a trail.
    public enum Problem: Hashable, Sendable, CustomStringConvertible {
        /// Bytes behind entry `after` are no entry of this chain: changed, or put in another order. `nil`: not even
        /// the first is.
        case damaged(after: UInt64?)
        /// The last entries are gone, or an older file was put back.
        case cutOff(missing: UInt64)
        /// Entries between two files are missing.
        case gap(before: UInt64)
        /// The secret store knows of entries, and there is no file.
        case missing
        /// There are entries, and the secret store knows of none.
        case unknown
        /// The secret store took no anchor for so many entries at the end: whoever can change the file could cut them
        /// off unnoticed. The next entry mends it where the store takes one again.
        case notAnchored(count: UInt64)
        /// A damaged file was put aside earlier; it lies beside the trail.
        case putAside
        /// So many events could not be written, and no entry says so yet: the next one will.
        case notWritten(count: Int)

        /// For a person.
        public var description: String {
            switch self {
            case .damaged(let after):
                after.map { "What follows entry \($0) was changed or put in another order." }
                    ?? "The file was changed from its beginning on."
            case .cutOff(let missing):
                "\(missing) \(missing == 1 ? "entry is" : "entries are") missing at the end: "
                    + "cut off, or an older file was put back."
            case .gap(let before): "Entries are missing before entry \(before)."
            case .missing: "The file is gone."
            case .unknown: "The secret store knows nothing of this file: it may be another installation's."
            case .notWritten(let count):
                "\(count) \(count == 1 ? "event" : "events") could not be written: "
                    + "the disk was full, or the keychain locked."
            case .notAnchored(let count):
                count == 1
                    ? "The secret store does not know of the last entry: it could be cut off unnoticed."
                    : "The secret store does not know of the last \(count) entries: they could be cut off unnoticed."
            case .putAside: "A damaged file was put aside; it lies beside the trail as trail.damaged."
            }
        }
    }
}

extension AuditTrail.Report {
    init(
        _ old: SealedRecords.Content, _ new: SealedRecords.Content, _ anchor: AuditAnchor?, hasDamaged: Bool, lost: Int
    ) {
        for content in [old, new] {
            let read = content.records.map { ($0.number, AuditEntry($0.number, $0.plain)) }
            entries += read.compactMap(\.1)
            if content.rest == .damaged || read.contains(where: { $0.1 == nil }) {
                problems.append(.damaged(after: content.records.last?.number))
            }
        }
        if let end = old.chain, let start = new.chain,
            end.nextNumber != start.firstNumber || end.lastTag != start.tagBefore
        {
            problems.append(.gap(before: start.firstNumber))
        }
        switch (anchor, new.chain) {
        case (nil, nil): break
        case (nil, .some): problems.append(.unknown)
        case (AuditAnchor.none?, nil): break
        case (.some(let anchor), nil):
            // The newer file has no entry yet where the older one ends with the last.
            if new.rest != .damaged, !AuditTrail.fits(old, anchor) { problems.append(.missing) }
        case (.some(let anchor), .some(let chain)):
            if chain.nextNumber < anchor.next {
                if new.rest != .damaged { problems.append(.cutOff(missing: anchor.next - chain.nextNumber)) }
            } else if !AuditTrail.fits(new, anchor) {
                problems.append(.damaged(after: nil))
            } else if chain.nextNumber - anchor.next > AuditTrail.largestWrite {
                problems.append(.notAnchored(count: chain.nextNumber - anchor.next))
            }
        }
        if hasDamaged { problems.append(.putAside) }
        if lost > 0 { problems.append(.notWritten(count: lost)) }
    }
}
