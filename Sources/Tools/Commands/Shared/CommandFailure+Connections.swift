internal import Pavise
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseTransport

extension CommandFailure {
    /// Words and status for a connection that is not ready.
    init(_ failure: ConnectionFailure) {
        switch failure {
        case .connections(let failure): self.init(failure)
        case .transport(let failure): self.init(failure)
        case .managed(let failure): self.init(failure)
        case .method(let refusal): self.init(refusal)
        case .servers(.system(let failure)): self.init(.failed, failure.description)
        case .servers(.damaged(let damage)): self.init(damage)
        case .servers(.busy): self.init(ConnectionsFailure.busy)
        case .servers(.keychain(let failure)): self.init(describing: failure)
        case .servers(.file(let damage)):
            self.init(
                .failed,
                "The record of the connection's servers \(damage.words). Nothing of it is used, and nothing was sent; "
                    + "disconnect, and connect again to look at each server anew.")
        case .identity(let problem): self.init(problem)
        case .keychain(let failure): self.init(describing: failure)
        }
    }

    /// Words and status for a client identity that cannot be used.
    init(_ problem: ClientCertificate.Problem) {
        switch problem {
        case .noTLS(let origin):
            self.init(.refused, "\(origin) has no TLS, and asks for no certificate. Use https.", rule: "ats")
        case .notFound(let status): self.init(.failed, "The keychain gives no such identity (status \(status)).")
        case .asksPerson:
            self.init(.failed, "The key of this identity asks a person before each use. Use one that does not.")
        case .unknownName(let name):
            self.init(.failed, "There is no identity “\(Printable.text(name))”. “pavise identity list” shows them.")
        case .unusableName:
            self.init(.usage, "An identity's name has 1 to 64 letters, digits and “-._”, no “-” or “.” in front.")
        case .unusableSubject:
            self.init(.usage, "The subject has 1 to 64 characters, none of them a control character.")
        case .unreadableFile:
            self.init(.failed, "The file holds no certificate that can be read, or no key with its certificate.")
        case .wrongPassphrase:
            self.init(.failed, "The passphrase is wrong, or the file was changed. Nothing was stored.")
        case .notRequested(let name):
            self.init(
                .failed, "No request waits for “\(Printable.text(name))”. “pavise identity request” makes one.")
        case .otherKey:
            self.init(.failed, "The certificate is for another key than the request's. Nothing was changed.")
        case .notValid: self.init(.failed, "The certificate is not valid now. Check its dates and this clock.")
        case .keyLost(let name):
            self.init(
                .failed, "The key of “\(Printable.text(name))” is not in the keychain any more. Make it anew.")
        case .busy: self.init(.failed, "Another process is changing the identities. Try again.")
        case .damaged:
            self.init(
                .failed,
                "The list of identities is damaged. Nothing of it is used; put a backup back (“pavise restore FILE”).")
        case .newer: self.init(.failed, "A later version wrote the list of identities. Update; nothing was changed.")
        case .tooMany(let limit): self.init(.failed, "There may be \(limit) identities. Remove one first.")
        }
    }

    /// Words and status for a method that may not be used.
    init(_ refusal: MethodRefusal) {
        switch refusal {
        case .unknown(let method):
            self.init(.failed, "This program knows no way to sign in called “\(Printable.text(method.rawValue))”.")
        case .notAllowedHere(let method, let origin):
            self.init(.refused, "“\(method)” is not allowed at \(origin). Nothing was sent.", rule: "method")
        case .managed(let method):
            self.init(
                .refused, "The administrator does not allow “\(method)”. Nothing was sent.", rule: "managed-method")
        }
    }

    /// Words and status for rules of an administrator that cannot be used.
    init(_ failure: ManagedFile.Failure) {
        self.init(.refused, "\(Printable.text(failure.description)) Nothing was sent.", rule: "managed")
    }

    /// Words and status for a record of servers that cannot be used.
    init(_ damage: ServerTrustDamage) {
        switch damage {
        case .unreadable:
            self.init(
                .failed,
                "What is known of the connection's servers is damaged. Nothing of it is used, and nothing was sent; "
                    + "disconnect, and connect again to look at each server anew.")
        case .newer(let version):
            self.init(
                .failed, "What is known of the connection's servers is of a later version (\(version)) of Pavise.")
        case .unwritable:
            self.init(.failed, "What is known of the connection's servers could not be written. Nothing was changed.")
        }
    }

    /// Words and status for the list of connections.
    init(_ failure: ConnectionsFailure) {
        switch failure {
        case .unknownName(let name, let known):
            let list = known.isEmpty ? "There are none yet." : "There are: \(known.joined(separator: ", "))."
            let words = name.isEmpty ? "No connection is named." : "There is no connection “\(Printable.text(name))”."
            self.init(.failed, "\(words) \(list)")
        case .nameTaken(let name): self.init(.failed, "“\(name)” is taken. Choose another name with --name.")
        case .unusableName:
            self.init(.usage, "A connection's name is 1 to 64 letters, digits and “-._”, no “-” or “.” in front.")
        case .damaged(let id, let damage):
            self.init(
                .failed,
                "The connection \(id) is damaged: \(damage.words)\(damage.words.hasSuffix(".") ? "" : ".") "
                    + "Nothing was changed; “pavise disconnect \(id)” removes it.")
        case .otherProgram(let id, let owner):
            let unknown = "another program, or by an older Pavise that never signed in"
            let name = owner.map { "“\(Printable.text($0))”" } ?? unknown
            self.init(
                .refused,
                "The connection \(id) was made by \(name). This program has neither its keys nor its tokens: nothing "
                    + "was wiped, and nothing revoked. Sign out with the program that made it; where that is gone, "
                    + "remove the folder connections/\(id) by hand, and its tokens end by their own time.",
                rule: "other-program")
        case .keychain(let failure): self.init(describing: failure)
        case .unusableDescription:
            self.init(
                .failed,
                "The connection's description is too large, or could not be read again. Nothing was written.")
        case .busy: self.init(.failed, "Another process is changing the connections. Try again.")
        case .system(let failure): self.init(.failed, failure.description)
        case .entropy: self.init(.failed, "The kernel gave no random bytes. Nothing was changed.")
        }
    }

    /// Words and status for a session.
    init(_ failure: SessionFailure) {
        switch failure {
        case .transport(let failure): self.init(failure)
        case .store(let failure): self.init(describing: failure)
        case .locked: self.init(.locked, failure.description)
        case .signedOut, .reloginNeeded:
            self.init(.signInNeeded, "\(failure.description) “pavise connect” does that, under the same name.")
        case .foreignOrigin: self.init(.refused, "\(failure.description) Nothing was sent.", rule: "credential-origin")
        case .unavailable(.trust, _): self.init(.refused, "\(failure.description)", rule: "certificate")
        case .sessionChanged, .unavailable, .tooManyRefreshes, .cancelled: self.init(.failed, failure.description)
        }
    }

    /// Words and status for a password.
    init(_ problem: BasicAccess.Problem) {
        switch problem {
        case .colonInName: self.init(.usage, "A user name for HTTP Basic holds no colon (RFC 7617).")
        case .unusableName: self.init(.usage, "The user name is empty, too long, or holds a control character.")
        case .unusablePassword: self.init(.usage, "The password is empty or holds a control character.")
        case .withoutTLS: self.init(.refused, "A password goes over https only. Nothing was sent.", rule: "ats")
        case .wrongMethod: self.init(.failed, "This connection signs in with the browser.")
        case .otherUser:
            self.init(.refused, "The connection is another user's. Nothing was stored.", rule: "other-user")
        case .refused:
            self.init(.signInNeeded, "The server refuses this user name and password. Nothing was stored.")
        case .notTried(let status):
            self.init(
                .failed, "The server did not say whether the password is right (status \(status)). Nothing was stored.")
        case .transport(let failure): self.init(failure)
        case .store(let failure): self.init(describing: failure)
        }
    }
}
