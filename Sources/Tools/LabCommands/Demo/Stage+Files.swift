internal import Foundation
internal import PaviseLab
internal import PavisePrimitives

extension Stage {
    /// No file of the home may hold any of `canaries`, and every file must have been read.
    @discardableResult
    func requireNoCanary(_ canaries: [String], _ when: String) throws -> CanarySearch.Report {
        let report = try CanarySearch.find(canaries, in: home.path)
        let first = report.findings.first.map { "\($0.form) in \($0.path)" } ?? ""
        try require(report.findings.isEmpty, "\(when): \(report.findings.count) canaries found, the first as \(first)")
        try require(report.isClean, "\(when): not every file could be read: \(report.unread)")
        return report
    }

    /// A search that cannot find proves nothing: it has to find a canary that was put there.
    func requireSearchFinds(_ canary: String) throws {
        let bait = home.path + "/bait"
        try DurableFile.write(Array("x\(canary)x".utf8).span, to: bait)
        let report = try CanarySearch.find([canary], in: home.path)
        try DurableFile.remove(bait)
        try require(!report.findings.isEmpty, "the search did not find the bait")
    }

    /// Every regular file below `folder`, with its size in bytes.
    static func files(below folder: String) -> [(path: String, size: Int)] {
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
        return walk.compactMap { $0 as? String }.sorted().compactMap { name in
            let path = "\(folder)/\(name)"
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
                facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? Int
            else { return nil }
            return (path, size)
        }
    }

    /// Copies the home, as it lies on the disk now, to another folder.
    func copyHome(to path: String) throws -> PaviseHome {
        try FileManager.default.copyItem(atPath: home.path, toPath: path)
        return PaviseHome(path: path)
    }
}
