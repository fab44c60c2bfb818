internal import Foundation
internal import Pavise
internal import PaviseLab
internal import PavisePrimitives
internal import SecurityFramework

extension Scene {
    static let flippedBits = Scene(
        number: 12, title: "A bit flips in the keychain",
        attack: "one bit of the keychain's files is flipped, at 200 random places in turn",
        control: "every page and every item is authenticated; damage has its own answer"
    ) { stage in
        _ = try await stage.signedIn(at: try stage.oauth())
        let names = (0..<20).map { "account-\($0)" }
        for name in names { try require(addItem(name) == errSecSuccess, "the item \(name) was not stored") }
        let target = Stage.files(below: stage.home.keychain).filter { $0.size > 0 && !$0.path.hasSuffix("-shm") }
        let total = target.reduce(0) { $0 + $1.size }
        try require(total > 4096, "the keychain's files are too small: \(total) bytes")
        var outcomes: [String: Int] = [:]
        for round in 0..<200 {
            let copy = try stage.copyHome(to: stage.home.path + "-flip-\(round)")
            defer { try? FileManager.default.removeItem(atPath: copy.path) }
            try flip(Int.random(in: 0..<total * 8), in: target, of: stage.home, at: copy)
            let outcome = try await SecurityEnvironment.$override.withValue(Stage.environment(copy)) {
                try await requireAccount(in: copy, stage, round)
                return try readAll(names, round)
            }
            outcomes[outcome, default: 0] += 1
        }
        return ["200 flips in \(total) bytes; 4,000 reads: no wrong value, no item silently missing, nobody signed out"]
            + outcomes.sorted { $0.key < $1.key }.map { "\($0.value) times: \($0.key)" }
    }

    // Damage is an error or a state of its own, never “nobody is signed in”.
    private static func requireAccount(in copy: PaviseHome, _ stage: Stage, _ round: Int) async throws {
        let state: AccountState
        do {
            state = try await Stage.app(in: copy, trusting: stage.authority.anchor).account("lab").state
        } catch let error as PaviseError {
            return try require(error.code != .unknownName, "round \(round): the account is there, and was not found")
        }
        switch state {
        case .signedIn, .unknown: break
        case .signedOut, .needsSignIn: throw SceneFailure("round \(round): the damaged account is \(state)")
        }
    }

    private static func query(_ name: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "demo" as CFString, kSecAttrAccount: name as CFString]
    }

    // Long enough that most bits of the files belong to a value: a flip in dead space proves nothing.
    private static func value(of name: String) -> Data {
        Data(String(repeating: "value of \(name). ", count: 400).utf8)
    }

    private static func addItem(_ name: String) -> OSStatus {
        var attributes = query(name)
        attributes[kSecValueData] = value(of: name)
        // pavise:ignore KEYCHAIN-NO-CLASS The scene flips bits of the item's file; its class has no part in it.
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    // What was seen: every value right, or the codes that told of damage.
    private static func readAll(_ names: [String], _ round: Int) throws -> String {
        var codes: Set<OSStatus> = []
        for name in names {
            let (status, data) = read(name)
            switch status {
            case errSecSuccess:
                try require(data == value(of: name), "round \(round): a wrong value was read")
            case errSecItemNotFound:
                throw SceneFailure("round \(round): \(name) is there but damaged, and “not found” was answered")
            default: codes.insert(status)
            }
        }
        guard !codes.isEmpty else { return "every value was still read right" }
        return "reported as damaged with " + codes.sorted().map { "\($0)" }.joined(separator: ", ")
    }

    private static func read(_ name: String) -> (OSStatus, Data?) {
        var search = query(name)
        search[kSecReturnData] = true as CFBoolean
        let answer = SecItem.copyMatching(search as CFDictionary)
        return (answer.status, answer.result as? Data)
    }

    private static func flip(
        _ bit: Int, in files: [(path: String, size: Int)], of home: PaviseHome, at copy: PaviseHome
    ) throws {
        var index = bit / 8
        for (path, size) in files {
            guard index >= size else {
                let place = copy.path + path.dropFirst(home.path.count)
                var bytes = try DurableFile.read(place, limit: 1 << 26)
                bytes[index] ^= 1 << UInt8(bit % 8)
                return try DurableFile.write(bytes.span, to: place)
            }
            index -= size
        }
    }
}
