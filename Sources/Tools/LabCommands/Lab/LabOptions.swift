internal import PaviseArguments
internal import PaviseLab

/// What `pavise-lab` can be told.
enum LabOptions {
    static let port = Option(
        "port", value: "PORT", help: "The port on 127.0.0.1; a free one unless given.", parse: port)
    static let client = Option("client-id", value: "ID", help: "The client identifier; “pavise” unless given.")
    static let rotation = Option(
        "rotation", value: "KIND",
        help: "What becomes of a refresh token that is used: strict (unless given), grace, none or refusing.",
        parse: rotation)
    static let grace = Option(
        "grace", value: "SECONDS", help: "How long a spent token gets the same answer, with “grace”; 10 unless given.",
        parse: seconds)
    static let accessLifetime = Option(
        "access-lifetime", value: "SECONDS", help: "How long an access token lives; 300 unless given.", parse: seconds)
    static let refreshLifetime = Option(
        "refresh-lifetime", value: "SECONDS", help: "How long a refresh token lives; 14 days unless given.",
        parse: seconds)
    static let idle = Option(
        "idle", value: "SECONDS",
        help: "Ends a session at the server that was not used for so long; never unless given.", parse: seconds)
    static let maximumSession = Option(
        "maximum-session", value: "SECONDS",
        help: "Ends a session at the server so long after its sign-in; never unless given.", parse: seconds)
    static let keyRotation = Option(
        "key-rotation", value: "SECONDS",
        help: "How long a key signs before the next one does; the first one signs for ever unless given.",
        parse: rotationPeriod)
    static let identity = Option(
        "identity", value: "FILE",
        help:
            "Writes a client's identity there (PKCS #12, passphrase “lab”), and runs a second server that demands it.")
    static let plain = Flag("plain", help: "Without TLS, for other people's tests of WebDAV; Pavise refuses it.")
    static let chunks = Flag("chunks", help: "Take large files in chunks, as ownCloud and Nextcloud do.")
    static let resumable = Flag("resumable", help: "Take large files in parts, as tus 1.0.0 has them.")
    static let switches = RepeatedOption(
        "switch", value: "NAME[=NUMBER]",
        help: "What the server does otherwise than it should; --show-switches lists it.", parse: davSwitch)
    static let showsSwitches = Flag("show-switches", help: "Print what --switch takes, and end.")
    static let attest = Option(
        "attest", value: "FILE",
        help: "Signs in attested devices alone. FILE holds the certificates of the makers of their TPMs, PEM.")
    static let attestApp = Option(
        "attest-app", value: "APP",
        help: "Signs in installations of this app (TEAM.BUNDLE) that Apple's App Attest vouches for, or, with "
            + "--attest, attested devices.",
        parse: application)
    static let set = RepeatedOption(
        "set", value: "NAME=VALUE", help: "Any setting; --show-settings lists them. Later ones win.", parse: setting)
    static let settings = Option(
        "settings", value: "FILE",
        help: "Lines NAME=VALUE, read again whenever the file changes: the authority goes on with them.")
    static let records = Option(
        "records", value: "FILE",
        help: "Begins with these records of persons: JSON, an object for each PERSON/COLLECTION/ID.")
    static let showsSettings = Flag("show-settings", help: "Print every setting with its value, and end.")
    static let anchors = Option(
        "anchors", value: "FILE",
        help: "Where to write the authority's certificate as PEM; a temporary file unless given."
    )

    /// A word of `--rotation`.
    enum Rotation: String, CaseIterable, Sendable {
        case strict, grace, none, refusing
    }

    private static func application(_ text: String) throws(Parameter.Invalid) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 256, parts[0].utf8.count == 10
        else { throw Parameter.Invalid("takes a team's identifier and a bundle's, such as A1B2C3D4E5.org.example.app") }
        return text
    }

    private static func davSwitch(_ text: String) throws(Parameter.Invalid) -> DAVSwitch.Setting {
        guard let setting = DAVSwitch.Setting(text) else {
            throw Parameter.Invalid("takes a name that --show-switches lists, with “=” and a number where it has some")
        }
        return setting
    }

    private static func port(_ text: String) throws(Parameter.Invalid) -> UInt16 {
        guard let port = UInt16(text), port >= 1024 else { throw Parameter.Invalid("takes a port from 1024 to 65535") }
        return port
    }

    private static func seconds(_ text: String) throws(Parameter.Invalid) -> Int64 {
        guard let seconds = Int64(text), (1...31_536_000).contains(seconds) else {
            throw Parameter.Invalid("takes seconds from 1 to 31536000")
        }
        return seconds
    }

    private static func setting(_ text: String) throws(Parameter.Invalid) -> AuthoritySettings.Line {
        guard let line = AuthoritySettings.Line(text) else {
            let name = String(text.prefix { $0 != "=" })
            let takes = AuthoritySettings.Line.values(of: name).map { "“\(name)” takes \($0)" }
            throw Parameter.Invalid(takes ?? "takes a name that --show-settings lists, “=” and a value")
        }
        return line
    }

    // A key stays in the set for a minute at least: with shorter periods there would be too many.
    private static func rotationPeriod(_ text: String) throws(Parameter.Invalid) -> Int64 {
        guard let seconds = Int64(text), (10...31_536_000).contains(seconds) else {
            throw Parameter.Invalid("takes seconds from 10 to 31536000")
        }
        return seconds
    }

    private static func rotation(_ text: String) throws(Parameter.Invalid) -> Rotation {
        guard let rotation = Rotation(rawValue: text) else {
            throw Parameter.Invalid("takes \(Rotation.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return rotation
    }
}
