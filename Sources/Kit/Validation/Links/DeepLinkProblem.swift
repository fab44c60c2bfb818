/// Why an address from outside is not taken. Nothing of the address is in it: it may be made to be shown.
public enum DeepLinkProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Empty, or longer than 2,048 bytes.
    case length
    /// A blank, a control character, a backslash or a letter outside ASCII: parsers read those differently.
    case forbiddenCharacter
    /// No scheme, or one that runs or reads something: `http`, `file`, `javascript`, `data` and their like.
    case scheme
    /// No `//` behind the scheme, more slashes than two, or no host.
    case authority
    /// A user name or password before the host.
    case userInformation
    /// A port: an app's links have none.
    case port
    /// A host in percent signs, in letters outside ASCII, an IP address, or no name at all.
    case host
    /// A step to the folder above, an empty segment, or a slash or control character hidden in percent signs.
    case path
    /// A broken percent sign, a name that comes twice, or more than 32 of them.
    case query
    /// Something behind `#`: what stands there reaches other readers than the path does.
    case fragment
    /// A well-formed address that is not on the app's list.
    case unknown
    /// On the list, but for a name behind `?` that is not.
    case unknownQuery

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unknown, .unknownQuery: "This link does not belong to anything that this app opens."
        case .scheme: "This app does not open links of this kind."
        default: "This link is not written as links of this app are. It was not opened."
        }
    }
}
