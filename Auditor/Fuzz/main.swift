// audit-fuzz list · audit-fuzz TARGET [libFuzzer's options] [corpus folder, which gets the target's seeds first]
internal import Foundation

let words = CommandLine.arguments
guard words.count > 1, words[1] != "list" else {
    for target in FuzzTarget.all { print(target.name) }
    exit(words.count > 1 ? 0 : 2)
}
guard let target = FuzzTarget.all.first(where: { $0.name == words[1] }) else { exit(2) }
if let folder = words.dropFirst(2).first(where: { !$0.hasPrefix("-") }) {
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue {
        for (index, seed) in target.seeds.enumerated() {
            try Data(seed.utf8).write(to: URL(fileURLWithPath: "\(folder)/seed-\(index)"))
        }
    }
}
Driver.run(target)
