internal import Foundation

/// Puts together what a loss of power leaves: every file as it was last synced, under the names that were last synced.
struct PowerLoss {
    /// What ``faults_shadow`` wrote.
    let shadow: String

    /// Makes `target`, which stands for the folder `root`.
    func leave(of root: String, as target: String) throws {
        let number = try FileManager.default.attributesOfItem(atPath: root)[.systemFileNumber] as? UInt64 ?? 0
        try folder(number, target)
    }

    private func folder(_ number: UInt64, _ target: String) throws {
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let list = (try? String(contentsOfFile: "\(shadow)/d\(number)", encoding: .utf8)) ?? ""
        for line in list.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3, let inner = UInt64(parts[0]) else { continue }
            let path = "\(target)/\(parts[2])"
            if parts[1] == "d" {
                try folder(inner, path)
            } else {
                let content = FileManager.default.contents(atPath: "\(shadow)/f\(inner)") ?? Data()
                _ = FileManager.default.createFile(
                    atPath: path, contents: content, attributes: [.posixPermissions: 0o600])
            }
        }
    }
}
