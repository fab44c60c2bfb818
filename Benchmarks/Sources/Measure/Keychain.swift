internal import CPeers
internal import Foundation
internal import SecurityFramework

private let data = Data((0..<256).map { UInt8(truncatingIfNeeded: $0) })

private func query(_ account: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "org.example.bench", kSecAttrAccount: account]
}

private func add(_ account: String) throws {
    let item = query(account).merging([kSecValueData: data]) { $1 }
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess else { throw MeasureFailure(description: "SecItemAdd: \(status)") }
}

/// COUNT: microseconds to read one of `COUNT` items, data and attributes, from a keychain that was used before.
func keychainRead(_ arguments: [String]) throws -> [(String, String)] {
    guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else { usage() }
    for number in 0..<count { try add("account-\(number)") }
    var times: [Double] = []
    for _ in 0..<5000 {
        var question = query("account-\(Int.random(in: 0..<count))")
        question[kSecReturnData] = true
        question[kSecReturnAttributes] = true
        var result: CFTypeRef?
        times.append(microseconds(1) { _ = unsafe SecItemCopyMatching(question as CFDictionary, &result) })
        guard let item = result as? [String: Any], item[kSecValueData as String] as? Data == data else {
            throw MeasureFailure(description: "an item was not found")
        }
    }
    let warm = Array(times.dropFirst(1000)).sorted()
    return [
        ("microseconds", "\(median(warm))"), ("percentile99", "\(warm[warm.count * 99 / 100])"), ("items", "\(count)"),
    ]
}

/// COUNT FOLDER: microseconds of a durable add, beside a durable insert of the same bytes into a plain SQLite file.
func durableAdd(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let count = Int(arguments[0]) else { usage() }
    guard let peer = unsafe peer_sqlite_open("\(arguments[1])/peer.sqlite") else {
        throw MeasureFailure(description: "no SQLite file in \(arguments[1])")
    }
    defer { unsafe peer_sqlite_close(peer) }
    try add("first")
    var ours = 0
    var theirs = 0
    let rounds = try Rounds(count, batch: 1) {
        ours += 1
        try add("account-\(ours)")
    } peer: {
        theirs += 1
        let done = unsafe data.withUnsafeBytes { bytes in
            unsafe peer_sqlite_insert(
                peer, "org.example.bench", "account-\(theirs)", bytes.bindMemory(to: UInt8.self).baseAddress,
                bytes.count)
        }
        guard done == 1 else { throw MeasureFailure(description: "SQLite did not insert") }
    }
    let figures = rounds.figures
    return [("ours", "\(figures.ours)"), ("peer", "\(figures.peer)"), ("ratio", "\(figures.ours / figures.peer)")]
}
