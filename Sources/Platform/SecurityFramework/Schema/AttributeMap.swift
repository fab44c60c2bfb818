/// Values by attribute code, in the order of the codes.
///
/// An item has ten of them. To search through a short sorted list costs a fraction of what hashing the codes does, and
/// the stored form of an item has the same order.
struct AttributeMap<Value> {
    private var entries: [(key: AttributeCode, value: Value)] = []

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// The value of `code`. Setting it to `nil` removes it.
    subscript(code: AttributeCode) -> Value? {
        get {
            let index = position(code)
            return index < entries.count && entries[index].key == code ? entries[index].value : nil
        }
        set {
            let index = position(code)
            let isThere = index < entries.count && entries[index].key == code
            switch (isThere, newValue) {
            case (true, let value?): entries[index].value = value
            case (false, let value?): entries.insert((code, value), at: index)
            case (true, nil): entries.remove(at: index)
            case (false, nil): break
            }
        }
    }

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    func filter(_ isIncluded: ((key: AttributeCode, value: Value)) -> Bool) -> Self {
        var kept = Self()
        kept.entries = entries.filter(isIncluded)
        return kept
    }

    /// Adds the values of `other`; `choice` says which one stays where both have one.
    mutating func merge(_ other: Self, uniquingKeysWith choice: (Value, Value) -> Value) {
        guard !entries.isEmpty else { return entries = other.entries }
        for (code, value) in other.entries { self[code] = self[code].map { choice($0, value) } ?? value }
    }

    func merging(_ other: Self, uniquingKeysWith choice: (Value, Value) -> Value) -> Self {
        var merged = self
        merged.merge(other, uniquingKeysWith: choice)
        return merged
    }

    // The first place whose code is not smaller. What is added comes in order most of the time.
    private func position(_ code: AttributeCode) -> Int {
        guard let last = entries.last, last.key.number >= code.number else { return entries.count }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.number < code.number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension AttributeMap: Sequence {
    func makeIterator() -> IndexingIterator<[(key: AttributeCode, value: Value)]> { entries.makeIterator() }
}

extension AttributeMap: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (AttributeCode, Value)...) {
        for (code, value) in elements { self[code] = value }
    }
}

extension AttributeMap: Sendable where Value: Sendable {}

extension AttributeMap: Equatable where Value: Equatable {
    static func == (one: Self, other: Self) -> Bool {
        one.entries.elementsEqual(other.entries) { $0.key == $1.key && $0.value == $1.value }
    }
}

extension AttributeMap: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        for (code, value) in entries {
            hasher.combine(code)
            hasher.combine(value)
        }
    }
}

/// The attributes of an item, or those that a query names.
typealias ItemAttributes = AttributeMap<ItemValue>
