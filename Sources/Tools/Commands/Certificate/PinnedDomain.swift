internal import PavisePrimitives
internal import SecurityFramework

/// One entry of NSPinnedDomains.
struct PinnedDomain {
    let name: String
    /// Whether the keys are those of authorities, and not the server's own.
    let isForAuthorities: Bool
    /// SHA-256 of the SubjectPublicKeyInfo, base64.
    let pins: [String]

    private var kind: String { isForAuthorities ? "NSPinnedCAIdentities" : "NSPinnedLeafIdentities" }

    /// The property list's members line by line; `nil` when the name is no host name.
    var lines: [String]? {
        guard ReferenceHostName.isWellFormed(name), !name.contains("*") else { return nil }
        return text.split(separator: "\n").map(String.init)
    }

    private var text: String {
        let identities = pins.map { pin in
            """
                        <dict>
                            <key>SPKI-SHA256-BASE64</key>
                            <string>\(pin)</string>
                        </dict>
            """
        }
        let warning = "<!-- One pin alone locks the app out when its key is lost: add a second. -->"
        let advice = pins.count > 1 ? "" : "\n\(warning)"
        return """
            <key>NSPinnedDomains</key>
            <dict>
                <key>\(name)</key>
                <dict>
                    <key>\(kind)</key>
                    <array>
            \(identities.joined(separator: "\n"))
                    </array>
                </dict>
            </dict>\(advice)
            """
    }

    /// The same as JSON.
    var data: JSONValue {
        let identities = pins.map { JSONValue.fields(["SPKI-SHA256-BASE64": .string($0)]) }
        let entry = JSONValue.object([.init(kind, .array(identities))])
        return .fields(["NSPinnedDomains": .object([.init(name, entry)])])
    }
}
