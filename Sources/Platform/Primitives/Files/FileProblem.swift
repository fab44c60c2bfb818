#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Why a file or folder is not used although the system would allow it: somebody else could read it, change it, or put
/// another in its place.
package enum FileProblem: Hashable, Sendable {
    /// It is a symbolic link inside the home.
    case link
    /// It is another kind of thing than a file, or than a folder.
    case kind(expected: Folder.Kind)
    /// It is a device, a pipe or a socket, or leads to one, and a file was to take its place.
    case device
    /// It belongs to another user.
    case owner(UInt32)
    /// Others may use it: its mode, and the one that it has to have.
    case mode(UInt32, needed: UInt32)
    /// It is a folder on the way to the home that belongs to a user who is neither this one nor root.
    case parentOwner(UInt32)
    /// It is a folder on the way to the home in which others may replace what lies there.
    case parentMode(UInt32)
    /// It has the name of a mark, and was not written as one.
    case foreignMark
    /// A variable names the home by a path that does not begin at the root.
    case relative(variable: String)
    /// Neither the environment nor the system's list of accounts names a home.
    case noHome

    /// The sentences for a person, with the command that mends it.
    package func explanation(_ path: String) -> String {
        let name = Self.quoted(path)
        return switch self {
        case .link:
            "\(path) is a symbolic link, and Pavise follows none inside its home. Put there what the link points to; "
                + "PAVISE_HOME itself may be a link."
        case .kind(.folder):
            "\(path) is not a folder. Nothing in it was changed. Move it away: mv \(name) \(Self.quoted(path + ".old"))"
        case .kind:
            """
            \(path) is not a regular file. Nothing was read from it. Move it away: mv \(name) \
            \(Self.quoted(path + ".old"))
            """
        case .device:
            "\(path) is a device, a pipe or a socket, and no file is put in its place. Let the program write to "
                + "standard output, and the shell send that there."
        case .owner(let owner):
            "\(path) belongs to user \(owner), and this program runs as user \(geteuid()). Nothing in it was "
                + "used. Run it as that user, "
                + "set PAVISE_HOME to a folder of your own, or, when its content is yours: sudo chown \(geteuid()) "
                + "\(name)"
        case .mode(let mode, let needed):
            "\(path) is open to other users (mode \(Self.octal(mode))). Nothing in it was used. "
                + "Close it: chmod \(Self.octal(needed)) \(name)"
        case .parentOwner(let owner):
            "\(path), which leads to the home, belongs to user \(owner), who could replace the home. "
                + "Set PAVISE_HOME to a folder below one of your own."
        case .parentMode(let mode):
            "\(path), which leads to the home, lets other users replace what is in it (mode \(Self.octal(mode))). "
                + "Close it: chmod go-w \(name)"
        case .foreignMark:
            "\(path) is no mark that Pavise wrote. Nothing was removed. Look at it, and remove it to go on."
        case .relative(let variable):
            """
            \(variable) has to be a whole path, which begins with a slash; “\(path)” would be another folder in each \
            folder.
            """
        case .noHome:
            "There is no home: PAVISE_HOME, XDG_DATA_HOME and HOME name none, and user \(geteuid()) has none in "
                + "the list of accounts. "
                + "Set PAVISE_HOME to a folder of your own, mode 700."
        }
    }

    /// The command that mends it, as a shell takes it; `nil` where a person has to look first.
    package func command(_ path: String) -> String? {
        let name = Self.quoted(path)
        return switch self {
        case .link: "cp -a --remove-destination \"$(readlink -f \(name))\" \(name)"
        case .kind: "mv \(name) \(Self.quoted(path + ".old"))"
        case .owner: "sudo chown \(geteuid()) \(name)"
        case .mode(_, let needed): "chmod \(Self.octal(needed)) \(name)"
        case .parentMode: "chmod go-w \(name)"
        case .parentOwner, .relative, .noHome: "export PAVISE_HOME=\"$HOME/.local/share/pavise\""
        case .foreignMark, .device: nil
        }
    }

    private static func octal(_ mode: UInt32) -> String { String(mode, radix: 8) }

    /// A path as a shell takes it, which looks for the quote alone, whatever combines with it.
    package static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "-")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
        return plain
            ? path : "'" + path.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}

extension SystemFailure {
    /// A file or folder that is not used, and why.
    package static func refused(_ path: String, _ problem: FileProblem) -> SystemFailure {
        let code: Int32 =
            switch problem {
            case .link: ELOOP
            case .kind(expected: .folder): ENOTDIR
            case .kind, .relative, .foreignMark, .device: EINVAL
            case .owner, .mode, .parentOwner, .parentMode: EPERM
            case .noHome: ENXIO
            }
        let isOfAnotherUser = if case .owner = problem { true } else { false }
        return SystemFailure(
            path: path, code: code, refusal: problem.explanation(path), remedy: problem.command(path),
            isOfAnotherUser: isOfAnotherUser)
    }
}

extension FileFacts {
    /// What speaks against using this as a file of the home; `nil` when nothing does.
    package func problem(asOwnFile isSecret: Bool) -> FileProblem? {
        guard kind == .file else { return kind == .link ? .link : .kind(expected: .file) }
        guard isOurs else { return .owner(owner) }
        guard !isSecret || isPrivate else { return .mode(mode, needed: mode & 0o700) }
        return nil
    }

    /// What speaks against using this as a folder of the home, which is nobody else's to enter.
    package var problemAsOwnFolder: FileProblem? {
        guard kind == .folder else { return kind == .link ? .link : .kind(expected: .folder) }
        guard isOurs else { return .owner(owner) }
        return isPrivate ? nil : .mode(mode, needed: 0o700)
    }

    /// What speaks against a folder, or a link, on the way to the home. Whoever owns it, or may write to it, could put
    /// another home in place. A sticky folder such as /tmp lets each user replace only what is theirs.
    ///
    /// - Parameter isOwnGroup: Whether a group has nobody but this user in it, as the first group has on many systems.
    package func problemOnTheWay(isOwnGroup: (UInt32) -> Bool) -> FileProblem? {
        guard isOursOrTheSystems || isNobodyOutside else { return .parentOwner(owner) }
        guard kind == .folder, mode & 0o1000 == 0 else { return nil }
        let mayOthers = mode & 0o002 != 0 || (mode & 0o020 != 0 && group != 0 && !isOwnGroup(group))
        return mayOthers ? .parentMode(mode) : nil
    }

    // In a user namespace that does not map every user, root of the machine is shown as nobody.
    private var isNobodyOutside: Bool { owner == UserNamespace.overflowUser }
}
