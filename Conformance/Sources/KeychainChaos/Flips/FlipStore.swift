internal import Foundation
internal import PavisePrimitives
internal import SecurityFramework

#if canImport(Glibc)
internal import Glibc
#endif

/// The files of a small keychain, held in memory, and what may be read from them.
struct FlipStore {
    static let service = "flips"
    static let accounts = (0..<50).map { "account-\($0)" }

    let home: PaviseHome
    /// The content of each file below the home, by its path in it.
    let files: [String: [UInt8]]

    /// Makes a keychain of 50 items and one element key.
    ///
    /// - Parameter inLog: How many of the items lie in the log and not yet in the database.
    static func make(_ home: PaviseHome, inLog: Int) -> Bool {
        for (number, account) in accounts.enumerated() {
            if number == accounts.count - inLog { KeychainDiagnostics.close(home) }
            guard Keychain.add(service, account, Value(worker: 5, number: number)) == .done(nil) else { return false }
        }
        if inLog == 0 { KeychainDiagnostics.close(home) }
        return true
    }

    /// Takes the files of `home` into memory.
    init(_ home: PaviseHome) {
        self.home = home
        var files: [String: [UInt8]] = [:]
        for name in FileManager.default.enumerator(atPath: home.path)?.compactMap({ $0 as? String }) ?? [] {
            guard let content = FileManager.default.contents(atPath: "\(home.path)/\(name)") else { continue }
            files[name] = Array(content)
        }
        self.files = files
    }

    /// Puts every file back as it was, with one bit turned around.
    func restore(flipping bit: Int? = nil, of name: String = "") {
        KeychainDiagnostics.close(home)
        for (file, content) in files {
            var content = content
            if let bit, file == name { content[bit / 8] ^= 1 << UInt8(bit % 8) }
            put(content, "\(home.path)/\(file)")
        }
    }

    private func put(_ content: [UInt8], _ path: String) {
        do {
            let file = try FileDescriptor.open(path, O_WRONLY | O_TRUNC | O_CREAT)
            try file.write(content.span)
        } catch {
            print("problem \(error)")
        }
    }
}

/// One way of reading, and what came of it.
enum FlipProbe: Hashable {
    case list
    case item(Int)

    enum Finding: Equatable {
        case right
        /// An error that says that something is wrong with the keychain.
        case refused
        case problem(String)
    }

    static let all = [FlipProbe.list] + FlipStore.accounts.indices.map { .item($0) }

    /// For a block that nothing reads: everything is tried on its first bits, less on the rest. The list takes most of
    /// the time, so one byte of eight gets it.
    static func some(_ position: Int) -> [FlipProbe] {
        let item = FlipProbe.item(position % FlipStore.accounts.count)
        return position / 8 % 8 == 0 ? [.list, item] : [item]
    }

    func run() -> Finding {
        switch self {
        case .list:
            let (status, accounts) = Keychain.accounts(of: FlipStore.service)
            if Self.refusals.contains(status) { return .refused }
            guard status == errSecSuccess else { return .problem("the list says \(status)") }
            return accounts.sorted() == FlipStore.accounts.sorted()
                ? .right : .problem("the list has \(accounts.count)")
        case .item(let number):
            let answer = Keychain.read(FlipStore.service, FlipStore.accounts[number])
            if answer == .done(Value(worker: 5, number: number)) { return .right }
            if Self.refusals.map({ Answer.wrong("status \($0)") }).contains(answer) { return .refused }
            return .problem("item \(number): \(answer)")
        }
    }

    // Never "nothing found": the data is there.
    private static let refusals: Set<OSStatus> = [errSecNotAvailable, errSecDecode]
}
