internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseTransport

/// What the commands about App Transport Security can be told.
enum ATSOptions {
    static let urls = RepeatedArgument("URL", help: "An address such as https://example.org.", parse: address)
    static let plist = Option(
        "plist", value: "FILE", help: "The app's Info.plist, XML or binary; without one, an app without ATS keys.")
    static let client = Option(
        "client", value: "KIND", help: "Who loads: app, webkit or media; app unless given.", parse: client)
    static let direct = Option(
        "direct", value: "ANSWER",
        help: "Whether no router lies between: auto, yes or no; auto looks at the name and at this machine's networks.",
        parse: direct)
    static let system = Option(
        "os", value: "SYSTEM", help: "Whose rules: current, ios16 (iOS 10 to 16) or ios9; current unless given.",
        parse: mode)
    static let sarif = Flag("sarif", help: "Print SARIF 2.1.0 instead of text.")

    /// The largest Info.plist that is read, in bytes.
    static let plistLimit = PropertyListLimits().bytes

    static func address(_ text: String) throws(Parameter.Invalid) -> WebURL {
        do throws(WebURL.Problem) {
            return try WebURL(text)
        } catch {
            throw Parameter.Invalid("cannot be used: \(error.description.trimmingFullStop)")
        }
    }

    private static func client(_ text: String) throws(Parameter.Invalid) -> ATSDecision.Client {
        switch text {
        case "app": return .app
        case "webkit": return .webContent
        case "media": return .media
        default: throw Parameter.Invalid("takes app, webkit or media")
        }
    }

    private static func direct(_ text: String) throws(Parameter.Invalid) -> Directness {
        guard let answer = Directness(rawValue: text) else { throw Parameter.Invalid("takes auto, yes or no") }
        return answer
    }

    private static func mode(_ text: String) throws(Parameter.Invalid) -> ATSMode {
        guard text != ATSMode.beforeATS.rawValue, let mode = ATSMode(rawValue: text) else {
            throw Parameter.Invalid("takes current, ios16 or ios9")
        }
        return mode
    }
}

/// Whether a target is reached without a router: found out, or as the person says.
enum Directness: String, Sendable {
    case auto, yes, no
}

extension Environment {
    /// The bytes of a property list that the person named.
    func propertyList(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(SystemFailure) {
            return try InputFile.read(path, limit: ATSOptions.plistLimit)
        } catch {
            throw CommandFailure(.failed, "The file “\(Printable.text(path))” cannot be read: \(error.description)")
        }
    }
}
