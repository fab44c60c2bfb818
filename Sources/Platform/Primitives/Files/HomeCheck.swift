internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Looks at a home and at the way to it.
enum HomeCheck {
    // Ways that were walked, each with the folder it led to.
    private static let walked = Mutex<[String: FileIdentity.Location]>([:])
    private static let mostLinks = 40

    /// See ``PaviseHome/check(_:)``.
    static func check(_ path: String) throws(SystemFailure) {
        guard let (facts, place) = try look(path) else { return try walk(path) }
        if walked.withLock({ $0[path] }) != place {
            try walk(path)
            walked.withLock { known in
                if known.count >= 256 { known.removeAll() }
                known[path] = place
            }
        }
        if let problem = facts.problemAsOwnFolder { throw .refused(path, problem) }
    }

    // The folder behind all links; `nil` when there is none yet.
    private static func look(_ path: String) throws(SystemFailure) -> (facts: FileFacts, place: FileIdentity.Location)?
    {
        try FileStep.run(.look, path) { () throws(SystemFailure) in
            var status = stat()
            guard unsafe stat(path, &status) == 0 else {
                guard errno == ENOENT else { throw SystemFailure(operation: "stat", path: path, code: errno) }
                return nil
            }
            return (FileFacts(status), FileIdentity.Location(status))
        }
    }

    // From the root on, each name and each link on the way. The last folder is the home, which has rules of its own.
    //
    // A sandbox, as iOS has one, may show nothing of the folders above an app's own, and still lead through them. Such
    // a folder is the system's and not ours to judge. Rights alone never hide a folder that leads on: for it to be
    // shown takes what leads through the folder above it, which was judged before.
    private static func walk(_ path: String) throws(SystemFailure) {
        var left = names(path)[...]
        var place = ""
        var links = 0
        if let root = try shown({ () throws(SystemFailure) in try FileFacts(of: "/") }) { try step(on: "/", root) }
        while let name = left.popFirst() {
            guard name != ".." else {
                place = place.isEmpty ? "" : String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                continue
            }
            let next = "\(place)/\(name)"
            let looked = try shown { () throws(SystemFailure) in try DurableFile.presence(of: next).get() }
            guard let found = looked else {
                place = next
                continue
            }
            guard let facts = found else { return }
            guard facts.kind == .link else {
                if !left.isEmpty { try step(on: next, facts) }
                place = next
                continue
            }
            try step(on: next, facts)
            links += 1
            guard links <= mostLinks else { throw SystemFailure(operation: "stat", path: path, code: ELOOP) }
            guard let target = try shown({ () throws(SystemFailure) in try destination(of: next) }) else {
                place = next
                continue
            }
            if target.hasPrefix("/") { place = "" }
            left = (names(target) + left)[...]
        }
    }

    // What the system shows; `nil` where it does not.
    private static func shown<Found>(_ look: () throws(SystemFailure) -> Found) throws(SystemFailure) -> Found? {
        do throws(SystemFailure) {
            return try look()
        } catch {
            guard error.isNotPermitted else { throw error }
            return nil
        }
    }

    private static func step(on path: String, _ facts: FileFacts) throws(SystemFailure) {
        if let problem = facts.problemOnTheWay(isOwnGroup: Accounts.isOwnGroup) { throw .refused(path, problem) }
    }

    private static func names(_ path: String) -> [String] {
        // By bytes, as the system reads it: with a combining letter behind it a “/” is another character.
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
    }

    private static func destination(of link: String) throws(SystemFailure) -> String {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(link, &bytes, bytes.count)
        guard count >= 0 else { throw SystemFailure(operation: "readlink", path: link, code: errno) }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
