package import PavisePrimitives

/// Settings in a file of their own.
package struct SettingsFile: SettingsStore {
    private static let limit = 262_144
    private let home: PaviseHome
    private let folder: String
    private let path: String

    /// The file of `program` in `home`; a name that is no file name is encoded.
    package init(home: PaviseHome, program: String) {
        self.home = home
        folder = home.path + "/settings"
        let name = program.utf8.map { byte -> String in
            byte.isLetterOrDigit || byte == 0x2D || byte == 0x5F
                ? String(UnicodeScalar(byte)) : "%\(Hex.encode([byte]))"
        }.joined()
        path = "\(folder)/\(name.prefix(200)).json"
    }

    package func read() throws(SettingsFailure) -> [String: JSONValue] {
        let bytes: [UInt8]?
        do throws(SystemFailure) {
            try home.check()
            bytes = try DurableFile.readIfPresent(path, limit: Self.limit)
        } catch {
            throw error.isTooLarge ? .damaged : .system(error)
        }
        guard let bytes else { return [:] }
        guard let values = Self.values(in: bytes) else { throw .damaged }
        return values
    }

    package func change(_ body: (inout [String: JSONValue]) -> Void) throws(SettingsFailure) {
        try locked { () throws(SettingsFailure) in
            var values = try read()
            body(&values)
            let members = values.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
            do throws(SystemFailure) {
                try DurableFile.write(Array((JSONValue.object(members).prettyText + "\n").utf8), to: path)
            } catch {
                throw .system(error)
            }
        }
    }

    package func remove() throws(SettingsFailure) {
        try locked { () throws(SettingsFailure) in
            do throws(SystemFailure) { try DurableFile.remove(path) } catch { throw .system(error) }
        }
    }

    private func locked(_ body: () throws(SettingsFailure) -> Void) throws(SettingsFailure) {
        do throws(SystemFailure) {
            try home.check()
            try DurableFile.makeDirectory(folder)
        } catch {
            throw .system(error)
        }
        try FileLock.holding(
            "\(folder)/lock", wait: .seconds(5),
            or: { $0.mapped(held: .busy, system: SettingsFailure.system) }, body)
    }

    static func values(in bytes: [UInt8]) -> [String: JSONValue]? {
        guard let members = (try? JSONValue.parse(bytes, limit: limit, depth: 2))?.members else { return nil }
        var values: [String: JSONValue] = [:]
        for member in members {
            guard values.updateValue(member.value, forKey: member.name) == nil else { return nil }
        }
        return values
    }
}
