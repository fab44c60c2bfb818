internal import Foundation
public import PavisePrimitives
internal import PaviseTransport
public import PaviseVault

/// Why a connection of the list is not used. None is ever dropped from the list.
public enum ConnectionProblem: Error, Hashable, Sendable {
    /// Its description is damaged. It can be removed.
    case damaged(DescriptorDamage)
    /// Another program made it: this one has neither its key nor its secrets. Sign out there.
    ///
    /// - Parameter owner: What the description says of the program, which nothing proves; `nil` where it says nothing.
    case otherProgram(owner: String?)
    /// The keychain does not say now whose it is: locked, or refused. Try again; nothing is wrong with the connection.
    case keychain(VaultFailure)
}

/// What is wrong with a connection's description on the disk. The connection is listed as damaged, never dropped.
public enum DescriptorDamage: Error, Hashable, Sendable {
    /// The folder is there, the file is not.
    case missing
    /// It is not the newest description that Pavise wrote.
    case file(ConnectionFileDamage)
    /// This program made it, and its keychain does not have the key: another keychain, or an older one, was put in
    /// place.
    case withoutKey
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
    /// The number of the form that is written. Form 1 knew neither owner nor authentication.
    static let form = 2
    /// The greatest file that is read, in bytes.
    static let limit = 262_144

    /// The form in which it is stored.
    ///
    /// - Throws: ``ConnectionsFailure/unusableDescription`` for one that could not be read again.
    package func encoded() throws(ConnectionsFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self), data.count <= Self.limit else { throw .unusableDescription }
        let bytes = [UInt8](data)
        // For example with an approval of an older Pavise, which does not say what was shown.
        guard (try? ConnectionDescriptor(decoding: bytes, for: id)) != nil else { throw .unusableDescription }
        return bytes
    }

    /// What a later version's description calls its connection: that name is taken, and whoever asks for it hears of
    /// the version. `nil` where it does not say so as this version does.
    static func name(inNewer bytes: [UInt8]) -> String? {
        guard let name = (try? JSONValue.parse(bytes, limit: limit))?["name"]?.string, isName(name) else { return nil }
        return name
    }

    /// Reads what ``encoded()`` wrote for the folder `id`.
    ///
    /// That is its form. Whether it is authentic is ``ConnectionFiles``' business.
    package init(decoding bytes: [UInt8], for id: ConnectionID) throws(DescriptorDamage) {
        // Strict: no doubled members, bounded size and depth.
        guard let value = try? JSONValue.parse(bytes, limit: Self.limit) else { throw .unreadable }
        guard let version = value["version"]?.integer else { throw .unreadable }
        guard version == 1 || version == Self.form else { throw .newer(version: Int(clamping: version)) }
        guard var read = try? value.decoded(as: ConnectionDescriptor.self) else {
            throw .unreadable
        }
        guard read.id == id else { throw .otherFolder }
        guard Self.isName(read.name), (try? WebURL("\(read.origin)/"))?.origin == read.origin else { throw .impossible }
        guard read.acceptedServers?.count ?? 0 <= 16, read.identity.map(Self.isName) ?? true,
            read.identityOrigins?.count ?? 0 <= 16,
            read.identityOrigins?.allSatisfy({ $0.scheme == .https }) ?? true
        else { throw .impossible }
        // Each approval of this form says what a person was shown.
        if version == 1 { read.approvals.removeAll { $0.evidence == nil } }
        guard read.approvals.allSatisfy({ $0.evidence != nil }) else { throw .impossible }
        read.version = Self.form
        self = read
    }
}
