internal import Foundation
internal import SecurityFramework

/// The two classes of passwords, as the words of `security` name them.
enum PasswordClass: String, CaseIterable, Sendable {
    case generic
    case internet

    /// The value of `kSecClass`.
    var code: String { self == .generic ? "genp" : "inet" }

    /// The attributes that make an item unique here, with the value that stands for an absent one.
    var nameAttributes: [String] {
        self == .generic ? ["acct", "svce"] : ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]
    }

    /// The attribute that an item without a label is labelled with.
    var labelSource: String { self == .generic ? "svce" : "srvr" }

    /// The letters that describe an item.
    var attributes: [SecurityOption] {
        switch self {
        case .generic:
            [.account, .creator, .type, .kind, .generic, .comment, .label, .service]
        case .internet:
            [
                .account, .creator, .type, .domain, .kind, .comment, .label, .path, .port, .protocolName, .server,
                .authentication,
            ]
        }
    }

    /// What adding takes. `-p` is an older letter for the password, where it is no path.
    var addOptions: [SecurityOption] {
        let older = SecurityOption("p", "PASSWORD", .password, "The same as -w.")
        return attributes + (self == .generic ? [older] : []) + SecurityOption.adding
    }
}
