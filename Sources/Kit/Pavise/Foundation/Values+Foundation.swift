public import Foundation
public import PaviseProtectedStorage
public import PaviseSession
public import PaviseStorage
public import PaviseTransport

extension WebURL {
    /// The address as a `URL`, without its fragment; `nil` where Foundation reads it differently.
    public var url: URL? { URL(string: description) }
}

extension RedirectReceiver {
    /// Takes an address that the system handed to the app. See `deliver(_:)` with a text.
    @discardableResult
    public func deliver(_ address: URL) -> Bool { deliver(address.absoluteString) }
}

extension CertificateSummary {
    /// When the certificate begins to hold.
    public var validFrom: Date { Date(timeIntervalSince1970: Double(notBefore)) }
    /// When it ends.
    public var validUntil: Date { Date(timeIntervalSince1970: Double(notAfter)) }
}

extension ConnectionDescriptor {
    /// When the connection was made.
    public var creationDate: Date { Date(timeIntervalSince1970: Double(created)) }
}

extension StoredFileAttributes {
    /// When the file was written last.
    public var modificationDate: Date { Date(timeIntervalSince1970: Double(modified) / 1000) }
}

extension ProtectedFiles {
    /// Seals `data` into a file: see `put(_:named:type:protection:erasable:replacing:)` with bytes.
    @discardableResult
    public func put(
        _ data: Data, named name: String, type: String = "", protection: ProtectionClass, erasable: Bool = false,
        replacing: StoredFileID? = nil
    ) throws(StorageFailure) -> StoredFileID {
        try put(
            [UInt8](data), named: name, type: type, protection: protection, erasable: erasable, replacing: replacing)
    }

    /// The whole content, at most `limit` bytes, or nothing: no byte is given out before the last one was
    /// authenticated.
    public func data(of id: StoredFileID, limit: Int) throws(StorageFailure) -> Data { Data(try get(id, limit: limit)) }
}
