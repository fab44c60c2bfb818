internal import Foundation
public import PavisePrimitives
internal import PaviseTransport

/// Client identities: a certificate and its key, for servers that demand one (mutual TLS).
///
/// They belong to the app and not to an account: a sign-out leaves them, ``AppSecurity/wipe()`` does not. At most 16.
/// Name one in ``SignInOptions/identity``. It is shown to the account's server and its authority and to nobody else, in
/// a handshake whose server was judged before, and only when the server asks.
extension AppSecurity {
    /// All identities by name, without their keys.
    public func identities() throws(PaviseError) -> [Identity] {
        do { return try connections.identities.list() } catch { throw log.told(error) }
    }

    /// Takes the identity of a PKCS #12 file (`.p12`), in the place of what the name has. Blocks for as long as the
    /// file's key derivation takes.
    ///
    /// ```swift
    /// let imported = try security.importIdentity(file, passphrase: passphrase, as: "work")
    /// ```
    ///
    /// The key goes into the keychain, readable after the first unlock, on this device only. Delete the file.
    ///
    /// - Parameters:
    ///   - file: At most 4 MiB.
    ///   - passphrase: The file's.
    ///   - name: 1 to 64 ASCII letters, digits and `-._`, no dot or hyphen in front.
    /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/invalidInput``: a wrong passphrase, no identity in
    ///   the file, a certificate that is not valid now.
    public func importIdentity(
        _ file: [UInt8], passphrase: borrowing SecretBytes, as name: String
    ) throws(PaviseError) -> Identity {
        do { return try connections.identities.take(file, passphrase: passphrase, as: name) } catch {
            throw log.told(error)
        }
    }

    /// Makes a P-256 key in the device's secure element and the request for its certificate (PKCS #10, RFC 2986). What
    /// the name has goes on until ``completeIdentity(_:with:)``; a request that waits is given up.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 ASCII letters, digits and `-._`, no dot or hyphen in front.
    ///   - subject: The common name of the request, 1 to 64 characters.
    /// - Returns: The request, as PEM text.
    public func requestIdentity(_ name: String, subject: String) throws(PaviseError) -> String {
        do { return try connections.identities.requestText(name, subject: subject) } catch {
            throw log.told(error)
        }
    }

    /// Takes the certificate that an authority issued for ``requestIdentity(_:subject:)``. A key that it replaces stays
    /// for a day, for connections that are open, and is destroyed with a later change.
    ///
    /// - Parameters:
    ///   - name: The identity's name.
    ///   - certificates: PEM, the own certificate first, then those above it; or one in DER.
    /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/invalidInput`` for a certificate of another key, or
    ///   one that is not valid now.
    public func completeIdentity(_ name: String, with certificates: [UInt8]) throws(PaviseError) -> Identity {
        do { return try connections.identities.complete(name, with: certificates) } catch { throw log.told(error) }
    }

    /// Renews an identity whose life is over by two thirds (``Identity/isDue(at:)``): a new key, its request, and the
    /// certificate that `issue` gets for it. Where `issue` fails, the identity goes on as it was.
    ///
    /// ```swift
    /// let renewed = try await security.renewIdentity("device") { request in
    ///     print("Send this to the organisation:", request)
    ///     return [UInt8](try Data(contentsOf: URL(fileURLWithPath: "device.pem")))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The identity's name.
    ///   - issue: Gets the request as PEM text, and gives the certificates as in ``completeIdentity(_:with:)``.
    /// - Returns: The identity as it is now: the same one where it was not due.
    public func renewIdentity(
        _ name: String, by issue: (String) async throws -> [UInt8]
    ) async throws(PaviseError) -> Identity {
        guard let present = try identities().first(where: { $0.name == name }), let subject = present.subject else {
            throw log.told(ClientCertificate.Problem.unknownName(name))
        }
        let now = Date(timeIntervalSince1970: Double(connections.now))
        guard present.isDue(at: now) else { return present }
        do {
            let request = try requestIdentity(name, subject: SigningRequest.commonName(in: subject))
            return try completeIdentity(name, with: try await issue(request))
        } catch {
            throw log.told(error)
        }
    }

    /// Removes an identity and destroys its keys. Accounts that show it cannot be used any more.
    public func removeIdentity(_ name: String) throws(PaviseError) {
        do { try connections.identities.remove(name) } catch { throw log.told(error) }
    }
}
