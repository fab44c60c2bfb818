internal import CPaviseSQLite
internal import PavisePrimitives

/// What a look at every page found. A class, since it travels through SQLite as an address.
final class PageReport {
    // The number that a connection asks our file layer with.
    static let question: Int32 = 0x5041_0002

    var pages = 0
    var damaged: [Int] = []
    var older: [Int] = []
    /// Whether there was a list to compare with.
    var isTracked = false
    /// Whether the list itself is older than the log, gone or not authentic.
    var isListLost = false
    /// Whether the log holds frames that no checkpoint has moved yet.
    var isBehind = false
    /// More than these are counted as they are, and not named.
    static let mostNamed = 1000
}

extension PageFile {
    /// Opens every page and compares its tag with the list. The caller holds the write lock, so that nothing moves.
    func check(_ report: PageReport) -> Int32 {
        guard !gate.isShut else { return ResultCode.locked }
        let list: [UInt8]?
        switch validList() {
        case .none: list = nil
        case .lost:
            list = nil
            report.isTracked = true
            report.isListLost = true
        case .behind:
            report.isBehind = true
            return SQLITE_OK
        case .unreadable(let code): return code
        case .tags(let tags):
            list = tags
            report.isTracked = true
        }
        return compare(with: list, report)
    }

    private enum ValidList {
        case none
        case lost
        case behind
        /// Nothing is known: SQLite's code says why.
        case unreadable(Int32)
        case tags([UInt8])
    }

    private func validList() -> ValidList {
        let (code, records) = FileHead.read(raw, cipher)
        guard code == SQLITE_OK || code == ResultCode.damaged else { return .unreadable(code) }
        guard let records else { return .lost }
        if let log {
            let refreshed = log.refresh()
            guard refreshed == SQLITE_OK || refreshed == ResultCode.damaged else { return .unreadable(refreshed) }
            guard refreshed == SQLITE_OK else { return .lost }
        }
        let position = log?.position
        let (tagsCode, named) = FileHead.tags(raw, cipher)
        guard tagsCode == SQLITE_OK else { return .unreadable(tagsCode) }
        guard let record = named else { return records.anchor.hasTags ? .lost : .none }
        guard record.isValid(anchor: records.anchor, log: position) else {
            let isOfThisLog = record.previous == records.anchor.log || record.log == records.anchor.previous
            guard let position, position.log == records.anchor.log, position.frames > 0 else { return .lost }
            return isOfThisLog ? .behind : .lost
        }
        let (listCode, list) = storedTags(record)
        guard listCode == SQLITE_OK else { return .unreadable(listCode) }
        return list.map(ValidList.tags) ?? .lost
    }

    private func compare(with list: [UInt8]?, _ report: PageReport) -> Int32 {
        let (sizeCode, bytes) = size()
        guard sizeCode == SQLITE_OK else { return sizeCode }
        report.pages = Int(bytes) / Self.pageCount
        if let list, list.count != report.pages * PageTag.count { report.isListLost = true }
        let batch = 64
        let sealed = Scratch(batch * Self.pageCount)
        let plain = Scratch(Self.pageCount)
        var first = 0
        while first < report.pages {
            guard !gate.isShut else { return ResultCode.locked }
            let count = min(batch, report.pages - first)
            let target = unsafe sealed[0..<count * Self.pageCount]
            let code = unsafe raw.read(target, at: FileHead.count + Int64(first * Self.pageCount))
            guard code == SQLITE_OK else { return code }
            for index in 0..<count {
                let page = unsafe UnsafeRawBufferPointer(sealed[index * Self.pageCount..<(index + 1) * Self.pageCount])
                unsafe judge(first + index, page, plain.bytes, list, report)
            }
            first += count
        }
        return SQLITE_OK
    }

    private func judge(
        _ index: Int, _ page: UnsafeRawBufferPointer, _ plain: UnsafeMutableRawBufferPointer, _ list: [UInt8]?,
        _ report: PageReport
    ) {
        guard unsafe open(UInt64(index) + 1, page, into: plain) else {
            if report.damaged.count < PageReport.mostNamed { report.damaged.append(index + 1) }
            return
        }
        guard let list, (index + 1) * PageTag.count <= list.count else { return }
        guard unsafe PageTag(ofPage: page) != PageTag(list, at: index) else { return }
        if report.older.count < PageReport.mostNamed { report.older.append(index + 1) }
    }
}

extension LogPosition {
    /// Whether a record of a list of tags is the newest one: it covers the whole log of now, or the log of now began
    /// with it and has nothing in it.
    fileprivate func isValid(anchor: LogPosition, log position: LogPosition?) -> Bool {
        if previous == anchor.log {
            // Begun again and nothing in it yet, or moved to its last frame.
            return position.map { $0.log == anchor.log ? $0.frames == frames : $0.frames == 0 } ?? true
        }
        return log == anchor.previous && position?.isUnused(since: anchor) == true
    }
}
