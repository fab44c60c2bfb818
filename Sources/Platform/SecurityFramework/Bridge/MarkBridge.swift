internal import PaviseCrypto
internal import PaviseDevice
internal import PavisePrimitives

/// Small marks outside of the keychain, in the home's device state, for the Kit: they say what the keychain has to
/// have, so that an item that is taken away, or an older copy that is put back, is noticed
/// (Documentation/Decisions/0010-marks.md).
///
/// A mark belongs to the program's default access group. The secure element authenticates it (HMAC-SHA-256, RFC 2104).
/// It holds no secret, and can be read while the device is locked.
package enum MarkBridge {
    /// Why a mark is not used.
    package enum Failure: Error, Hashable, Sendable {
        /// It is not what was written: changed, cut, of another program or another device.
        case damaged
        /// The file system or the element does not say; in words.
        case unavailable(String)
    }

    /// A mark of another program in the same home.
    package struct Foreign: Hashable, Sendable {
        /// The program's default access group.
        package let program: String
        /// What it wrote.
        package let content: [UInt8]
    }

    private static let version: UInt8 = 1
    private static let limit = 4096

    /// Whether this platform has a place for marks.
    package static let isKept = true

    /// The mark called `name` of this program; `nil` where there is none. Nothing is made.
    package static func read(_ name: String) throws(Failure) -> [UInt8]? {
        let (home, program) = try surroundings()
        guard let bytes = try attempt({ try file(path(name, program, home)) }) else { return nil }
        guard let found = try open(bytes, name), found.program == program else { throw .damaged }
        return found.content
    }

    /// Writes the mark; when this returns, it is durable.
    package static func write(_ content: [UInt8], _ name: String) throws(Failure) {
        let (home, program) = try surroundings()
        var writer = ByteWriter()
        writer.raw([version])
        writer.block(Array(program.utf8))
        writer.block(content)
        let body = writer.bytes
        let bytes = try body + code(body, name)
        try attempt {
            try DurableFile.makeDirectory(home.device + "/marks")
            try DurableFile.write(bytes.span, to: path(name, program, home))
        }
    }

    /// The marks of that name of other programs.
    ///
    /// - Throws: ``Failure/damaged`` where a file has the name of one and is none: nobody can say whose it was, or what
    ///   it said.
    package static func others(_ name: String) throws(Failure) -> [Foreign] {
        let (home, program) = try surroundings()
        let folder = home.device + "/marks"
        let names = try attempt {
            guard try DurableFile.presence(of: folder).get() != nil else { return [String]() }
            return try Folder.names(in: folder).sorted()
        }
        var found: [Foreign] = []
        let own = fileName(name, program)
        // A file that is being written has a longer name.
        for entry in names where entry.hasPrefix(name + "-") && entry.utf8.count == own.utf8.count && entry != own {
            // Gone meanwhile.
            guard let bytes = try attempt({ try file("\(folder)/\(entry)") }) else { continue }
            guard let mark = try open(bytes, name), entry == fileName(name, mark.program) else { throw .damaged }
            found.append(mark)
        }
        return found
    }

    private static func open(_ bytes: [UInt8], _ name: String) throws(Failure) -> Foreign? {
        guard bytes.count > 32 else { return nil }
        let body = Array(bytes.dropLast(32))
        let expected = try code(body, name)
        let found = Array(bytes.suffix(32))
        guard ConstantTime.equal(expected.span, found.span) else { return nil }
        var reader = ByteReader(body)
        do throws(ByteReader.Truncated) {
            guard try reader.integer(UInt8.self) == version else { return nil }
            let program = String(validating: try reader.block(limit: limit), as: UTF8.self)
            let content = try reader.block(limit: limit)
            guard let program, reader.isAtEnd else { return nil }
            return Foreign(program: program, content: content)
        } catch {
            return nil
        }
    }

    private static func code(_ body: [UInt8], _ name: String) throws(Failure) -> [UInt8] {
        try attempt {
            try Device.current().element.derivedKey(purpose: "mark: " + name).withBytes { HMAC.sha256(key: $0, body) }
        }
    }

    private static func surroundings() throws(Failure) -> (home: PaviseHome, program: String) {
        let environment = SecurityEnvironment.current
        guard let program = environment.accessGroups.first else {
            throw .unavailable("This program has no access group.")
        }
        return (environment.home, program)
    }

    // `nil` where there is none; a longer file is none of ours.
    private static func file(_ path: String) throws -> [UInt8]? {
        do throws(SystemFailure) { return try DurableFile.readIfPresent(path, limit: limit, isSecret: true) } catch {
            guard error.isTooLarge else { throw error }
            throw Failure.damaged
        }
    }

    private static func path(_ name: String, _ program: String, _ home: PaviseHome) -> String {
        "\(home.device)/marks/\(fileName(name, program))"
    }

    private static func fileName(_ name: String, _ program: String) -> String {
        "\(name)-\(Hex.encode(Array(Hash.digest(.sha256, Array(program.utf8)).prefix(16))))"
    }

    private static func attempt<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
        do { return try body() } catch let failure as Failure { throw failure } catch let failure as DeviceFailure {
            throw .unavailable(failure.explanation)
        } catch {
            throw .unavailable("\(error)")
        }
    }
}
