internal import Foundation

/// How an attribute's value is read.
enum AttributeKind: Hashable, Sendable {
    /// Data, text or number, kept as what it is.
    case blob
    /// Text.
    case text
    /// Bytes.
    case data
    /// A number; a text that is no number stays a text.
    case number
    /// A moment.
    case date
    /// A `SecAccessControl` object.
    case accessControl

    /// Reads `value`, or throws -50 for what the kind does not accept.
    func value(of value: Any) throws(StatusFailure) -> ItemValue {
        let read: ItemValue? =
            switch self {
            case .blob: blob(value)
            case .text: text(value)
            case .data: data(value)
            case .number: number(value)
            case .date: (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
            case .accessControl: nil
            }
        guard let read else { throw StatusFailure(errSecParam) }
        return read
    }

    private func blob(_ value: Any) -> ItemValue? {
        if let text = value as? String { return .text(text) }
        if let data = value as? Data { return .data(Array(data)) }
        return (value as? NSNumber).map { .number($0.int64Value) }
    }

    private func text(_ value: Any) -> ItemValue? {
        if let text = value as? String { return .text(text) }
        if let data = value as? Data { return String(data: data, encoding: .utf8).map { .text($0) } }
        return (value as? UUID).map { .text($0.uuidString) }
    }

    private func data(_ value: Any) -> ItemValue? {
        if let data = value as? Data { return .data(Array(data)) }
        if let text = value as? String { return .data(Array(text.utf8)) }
        guard let number = value as? NSNumber else { return nil }
        let bits = UInt32(bitPattern: number.int32Value)
        // Four bytes in the machine's own order, which is little-endian on every platform of ours.
        return .data([0, 8, 16, 24].map { UInt8(bits >> $0 & 255) })
    }

    private func number(_ value: Any) -> ItemValue? {
        if let text = value as? String { return Int64(text).map { .number($0) } ?? .text(text) }
        return (value as? NSNumber).map { .number($0.int64Value) }
    }
}
