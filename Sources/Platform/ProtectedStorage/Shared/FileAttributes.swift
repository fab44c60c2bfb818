internal import PavisePrimitives

/// What is known of a protected file beside its content; sealed with it, so that a folder tells none of it.
public struct StoredFileAttributes: Hashable, Sendable {
    /// The person's name for it: 1 to 1,024 bytes of UTF-8. It is never a path on the disk.
    public let name: String
    /// What it is, for example a media type; may be empty.
    public let type: String
    /// The exact length of the content in bytes.
    public internal(set) var length: Int
    /// When it was written: milliseconds since 1970, by the clock of the writer.
    public let modified: Int64
    /// 1 at first, and one more each time the file is replaced.
    public let generation: UInt64
}

extension StoredFileAttributes {
    /// The greatest length of a file: 2^40 bytes.
    static let lengthLimit = 1 << 40
    private static let version: UInt8 = 1
    // The length of a name does not show in the size of the file.
    private static let padding = 64

    static func check(
        name: String, type: String, refusing isRefused: (Unicode.Scalar) -> Bool = StoredFileAttributes.isControl
    ) throws(StorageFailure) {
        guard (1...1024).contains(name.utf8.count), !name.unicodeScalars.contains(where: isRefused) else {
            throw .unusable(.name)
        }
        guard type.utf8.count <= 127, type.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unusable(.type)
        }
    }

    /// Whether no new name has this: a control, or a mark that turns the direction of what follows (UAX #9, 2). A name
    /// is shown to a person.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{61C}" || wasControl(scalar)
    }

    // What was refused at first, when U+061C was not: a file of that time is whole, and stays readable.
    private static func wasControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// Padded with zeros to a multiple of 64 bytes.
    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(Self.version)
        writer.integer(UInt64(length))
        writer.integer(modified)
        writer.integer(generation)
        writer.integer(UInt16(name.utf8.count))
        writer.raw(Array(name.utf8))
        writer.integer(UInt8(type.utf8.count))
        writer.raw(Array(type.utf8))
        let rest = (Self.padding - writer.bytes.count % Self.padding) % Self.padding
        return writer.bytes + [UInt8](repeating: 0, count: rest)
    }

    /// Reads what ``encoded()`` gave.
    init(decoding bytes: [UInt8]) throws(StorageFailure) {
        // Authentic, and in a form of later: nothing is wrong with it.
        if let version = bytes.first, version > Self.version { throw .newer(version: Int(version)) }
        do throws(ByteReader.Truncated) {
            var reader = ByteReader(bytes)
            guard try reader.integer(UInt8.self) == Self.version else { throw ByteReader.Truncated() }
            let length: UInt64 = try reader.integer()
            guard length <= UInt64(Self.lengthLimit) else { throw ByteReader.Truncated() }
            self.length = Int(length)
            modified = try reader.integer()
            generation = try reader.integer()
            name = try Self.text(try reader.read(Int(try reader.integer(UInt16.self))))
            type = try Self.text(try reader.read(Int(try reader.integer(UInt8.self))))
            guard try reader.read(reader.remaining).allSatisfy({ $0 == 0 }) else { throw ByteReader.Truncated() }
        } catch {
            throw .damaged(.head)
        }
        do throws(StorageFailure) { try Self.check(name: name, type: type, refusing: Self.wasControl) } catch {
            throw .damaged(.head)
        }
    }

    private static func text(_ bytes: [UInt8]) throws(ByteReader.Truncated) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ByteReader.Truncated() }
        return text
    }
}
