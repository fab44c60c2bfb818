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

/// FROM TO: adds the items with these numbers; microseconds of one.
func keychainFill(_ arguments: [String]) throws -> [(String, String)] {
    let numbers = arguments.compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] < numbers[1] else { usage() }
    let each = try microseconds(1) { for number in numbers[0]..<numbers[1] { try add("account-\(number)") } }
    return [("microseconds", "\(each / Double(numbers[1] - numbers[0]))")]
}

/// COUNT: microseconds to read one of `COUNT` items, data and attributes: of the call, and of what its caller does
/// besides, which is Foundation making the query and turning the result into Swift's dictionary.
///
/// Warm is an item that this process read once before, one of 10,000 that lie anywhere among all; `first` is one of
/// all, most of which this process never read.
func keychainRead(_ arguments: [String]) throws -> [(String, String)] {
    guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else { usage() }
    let items = count <= 10_000 ? Array(0..<count) : (0..<10_000).map { _ in Int.random(in: 0..<count) }
    // The inner pages of the search tree, and what the processor learns.
    for _ in 0..<4000 { try read(Int.random(in: 0..<count)) }
    let first = try (0..<4000).map { _ in try read(Int.random(in: 0..<count)) }
    for number in items { try read(number) }
    let reads = 20_000
    var (calls, wholes): ([Double], [Double]) = ([], [])
    for _ in 0..<reads {
        var call = 0.0
        wholes.append(try microseconds(1) { call = try read(items[Int.random(in: 0..<items.count)]) })
        calls.append(call)
    }
    let warm = Array(calls.dropFirst(reads / 5)).sorted()
    return [
        ("microseconds", "\(median(warm))"), ("percentile99", "\(warm[warm.count * 99 / 100])"),
        ("whole", "\(median(Array(wholes.dropFirst(reads / 5))))"), ("first", "\(median(first))"),
        ("items", "\(count)"),
    ]
}

/// COUNT: milliseconds to list the attributes of all `COUNT` items; the best of five, the first warms up.
func keychainList(_ arguments: [String]) throws -> [(String, String)] {
    guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else { usage() }
    let question: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
    ]
    var times: [Double] = []
    for _ in 0..<6 {
        var result: CFTypeRef?
        times.append(microseconds(1) { _ = unsafe SecItemCopyMatching(question as CFDictionary, &result) } / 1000)
        guard (result as? [[String: Any]])?.count == count else {
            throw MeasureFailure(description: "the list has another length")
        }
    }
    return [("milliseconds", "\(median(Array(times.dropFirst())))")]
}

/// COUNT SECONDS: reads each item once, waits for a line, then reads for so long; how many reads that were.
func keychainReader(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let count = Int(arguments[0]), let seconds = Double(arguments[1]) else { usage() }
    for number in 0..<count { try read(number) }
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    _ = readLine()
    let end = ContinuousClock.now + .seconds(seconds)
    var reads = 0
    while ContinuousClock.now < end {
        try read(Int.random(in: 0..<count))
        reads += 1
    }
    return [("reads", "\(reads)")]
}

/// Reads and checks an item; microseconds of the call alone.
@discardableResult
private func read(_ number: Int) throws -> Double {
    var question = query("account-\(number)")
    question[kSecReturnData] = true
    question[kSecReturnAttributes] = true
    let dictionary = question as CFDictionary
    var result: CFTypeRef?
    let call = microseconds(1) { _ = unsafe SecItemCopyMatching(dictionary, &result) }
    guard let item = result as? [String: Any], item[kSecValueData as String] as? Data == data else {
        throw MeasureFailure(description: "an item was not found")
    }
    return call
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
