/// Ids of cases, short: `file/1`, `file/2`, `file/3` and `file/7` become `file/1-3` and `file/7`.
enum CaseRanges {
    static func text(_ ids: [String]) -> [String] {
        var others: [String] = []
        var numbers: [String: [Int]] = [:]
        for id in ids {
            guard let slash = id.lastIndex(of: "/"), let number = Int(id[id.index(after: slash)...]) else {
                others.append(id)
                continue
            }
            numbers[String(id[..<slash]), default: []].append(number)
        }
        let short = numbers.sorted { $0.key < $1.key }.flatMap { file, numbers in
            ranges(numbers.sorted()).map { range in
                range.count == 1 ? "\(file)/\(range.lowerBound)" : "\(file)/\(range.lowerBound)-\(range.upperBound)"
            }
        }
        return others.sorted() + short
    }

    private static func ranges(_ numbers: [Int]) -> [ClosedRange<Int>] {
        numbers.reduce(into: []) { ranges, number in
            guard let last = ranges.last, number <= last.upperBound + 1 else {
                ranges.append(number...number)
                return
            }
            ranges[ranges.count - 1] = last.lowerBound...number
        }
    }
}
