#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What the system's list of accounts says of the user of this process.
enum Accounts {
    /// The home folder; `nil` when there is no such user, or the entry names none.
    static var home: String? { unsafe entry(\.pw_dir) }

    /// Whether a group has nobody but this user in it: it bears the user's name, and no other member.
    static func isOwnGroup(_ number: UInt32) -> Bool {
        guard let name = unsafe entry(\.pw_name) else { return false }
        return unsafe room { buffer, count in
            var group = unsafe group()
            var found: UnsafeMutablePointer<group>?
            guard unsafe getgrgid_r(number, &group, buffer, count, &found) == 0, unsafe found != nil,
                let own = unsafe group.gr_name, unsafe String(cString: own) == name
            else { return false }
            var member = unsafe group.gr_mem
            while let next = unsafe member, let text = unsafe next.pointee {
                guard unsafe String(cString: text) == name else { return false }
                unsafe member = next.advanced(by: 1)
            }
            return true
        }
    }

    /// A group's name; `nil` when the number has none.
    static func groupName(_ number: UInt32) -> String? {
        unsafe room { buffer, count in
            var group = unsafe group()
            var found: UnsafeMutablePointer<group>?
            guard unsafe getgrgid_r(number, &group, buffer, count, &found) == 0, unsafe found != nil,
                let name = unsafe group.gr_name
            else { return nil }
            return unsafe String(cString: name)
        }
    }

    private static func entry(_ part: KeyPath<passwd, UnsafeMutablePointer<CChar>?>) -> String? {
        unsafe room { buffer, count in
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard unsafe getpwuid_r(geteuid(), &entry, buffer, count, &found) == 0, unsafe found != nil
            else { return nil }
            guard let bytes = unsafe entry[keyPath: part] else { return nil }
            let text = unsafe String(cString: bytes)
            return text.isEmpty ? nil : text
        }
    }

    // Entries of directories can be long; these are read with 64 KiB of room.
    private static func room<Result>(_ body: (UnsafeMutablePointer<CChar>, Int) -> Result) -> Result {
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: 65_536)
        defer { unsafe buffer.deallocate() }
        return unsafe body(buffer, 65_536)
    }
}

/// Whether this process sees all users of the machine by their numbers.
enum UserNamespace {
    /// The number that stands for every user who has none here; `nil` where each user has one.
    static let overflowUser: UInt32? = {
        #if canImport(Glibc)
        guard let map = try? InputFile.read("/proc/self/uid_map", limit: 65_536), !isWhole(map),
            let bytes = try? InputFile.read("/proc/sys/kernel/overflowuid", limit: 64)
        else { return nil }
        return UInt32(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self))
        #else
        return nil
        #endif
    }()

    /// Whether a map of user numbers (user_namespaces(7)) has all of them.
    static func isWhole(_ map: [UInt8]) -> Bool {
        let counts = map.split(separator: 10).map { line in
            line.split(separator: 32).last.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
        }
        return counts.reduce(0) { $0.addingReportingOverflow($1).partialValue } >= 4_294_967_295
    }
}
