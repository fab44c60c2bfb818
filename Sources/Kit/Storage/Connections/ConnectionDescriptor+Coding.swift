internal import Foundation
public import PavisePrimitives
internal import PaviseTransport

/// What is wrong with a connection's description on the disk. The connection is listed as damaged, never dropped.
public enum DescriptorDamage: Error, Hashable, Sendable {
    /// The folder is there, the file is not.
    case missing
    /// Not JSON within bounds, or members are missing or doubled.
    case unreadable
    /// Written by a later version of Pavise.
    case newer(version: Int)
    /// It describes another connection than the folder it lies in.
    case otherFolder
    /// A name, origin or host that could not have been written.
    case impossible
    /// The file could not be read.
    case system(SystemFailure)
}

extension ConnectionDescriptor {
    /// The greatest file that is read, in bytes.
    static let limit = 262_144

    /// The form in which it is stored.
    package func encoded() throws(ConnectionsFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data.count <= Self.limit else { throw .unusableDescription }
        return [UInt8](data)
    }

    /// Reads what ``encoded()`` wrote for the folder `id`.
    package init(decoding bytes: [UInt8], for id: ConnectionID) throws(DescriptorDamage) {
        // Strict: no doubled members, bounded size and depth.
        guard let value = try? JSONValue.parse(bytes, limit: Self.limit) else { throw .unreadable }
        guard let version = value["version"]?.integer else { throw .unreadable }
        guard version == 1 else { throw .newer(version: Int(clamping: version)) }
        guard let read = try? value.decoded(as: ConnectionDescriptor.self) else {
            throw .unreadable
        }
        guard read.id == id else { throw .otherFolder }
        guard Self.isName(read.name), (try? WebURL("\(read.origin)/"))?.origin == read.origin else { throw .impossible }
        self = read
    }
}
