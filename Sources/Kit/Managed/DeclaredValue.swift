internal import PavisePrimitives

/// A property list that a decoder gives, as JSON: as deep as the rules of a file may be, and with as many elements as a
/// list there may have.
struct DeclaredValue: Decodable {
    private static let deepest = 16
    private static let most = 10_000

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    let json: JSONValue
    /// With those inside.
    private let count: Int

    /// The whole dictionary, of which one member is read: an app has settings of its own beside it.
    static func read(
        _ key: String, of decoder: any Decoder
    ) throws(ManagedConfiguration.Failure) -> JSONValue {
        do {
            let keyed = try decoder.container(keyedBy: Name.self)
            let members = try keyed.allKeys.map { name in
                guard name.stringValue == key else { return JSONValue.Member(name.stringValue, .null) }
                return JSONValue.Member(name.stringValue, try keyed.decode(Self.self, forKey: name).json)
            }
            return .object(members)
        } catch let failure as ManagedConfiguration.Failure {
            throw failure
        } catch {
            // The system's own decoder found no dictionary.
            throw .noObject
        }
    }

    init(from decoder: any Decoder) throws {
        // Each `try?` asks for one form of a value; what has none of them is refused at the end.
        guard decoder.codingPath.count <= Self.deepest else { throw ManagedConfiguration.Failure.tooLarge }
        if let keyed = try? decoder.container(keyedBy: Name.self) {
            var members: [JSONValue.Member] = []
            var total = 1
            for name in keyed.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                let value = try keyed.decode(Self.self, forKey: name)
                members.append(JSONValue.Member(name.stringValue, value.json))
                try Self.add(value.count, to: &total)
            }
            json = .object(members)
            count = total
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            var total = 1
            while !list.isAtEnd {
                let value = try list.decode(Self.self)
                values.append(value.json)
                try Self.add(value.count, to: &total)
            }
            json = .array(values)
            count = total
        } else {
            json = try Self.single(decoder)
            count = 1
        }
    }

    private static func add(_ count: Int, to total: inout Int) throws(ManagedConfiguration.Failure) {
        total += count
        guard total <= most else { throw .tooLarge }
    }

    private static func single(_ decoder: any Decoder) throws -> JSONValue {
        guard let value = try? decoder.singleValueContainer() else { throw unusable(decoder) }
        if let found = try? value.decode(Bool.self) { return .bool(found) }
        if let found = try? value.decode(Int64.self) { return .integer(found) }
        if let found = try? value.decode(Double.self), found.isFinite { return .number("\(found)") }
        if let found = try? value.decode(String.self) { return .string(found) }
        throw unusable(decoder)
    }

    private static func unusable(_ decoder: any Decoder) -> ManagedConfiguration.Failure {
        let path = decoder.codingPath.map(\.stringValue).joined(separator: ".")
        return .unusable([ManagedProblem(.unusableValue, path, ManagedMember.expected)])
    }
}
