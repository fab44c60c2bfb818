package import PavisePrimitives

extension ATSException {
    /// The entry's keys and values, those that differ from the empty entry, in alphabetical order.
    package var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if allowsInsecureHTTPLoads { members.append(.init(ATSKey.insecure, true)) }
        if let minimumTLSVersion { members.append(.init(ATSKey.minimum, .string(minimumTLSVersion.rawValue))) }
        if !requiresForwardSecrecy { members.append(.init(ATSKey.forwardSecrecy, false)) }
        if includesSubdomains { members.append(.init(ATSKey.subdomains, true)) }
        return members
    }

    /// The value of `NSAppTransportSecurity` with this one entry.
    package func dictionary(for host: String) -> JSONValue {
        .object([.init(ATSKey.exceptions, .object([.init(host, .object(members))]))])
    }

    /// The piece of an Info.plist with this one entry.
    package func fragment(for host: String) -> String {
        let keys = members.map { member in
            let value =
                member.value.bool.map { $0 ? "<true/>" : "<false/>" } ?? "<string>\(member.value.string ?? "")</string>"
            return "            <key>\(member.name)</key>\n            \(value)"
        }
        return """
            <key>\(ATSKey.root)</key>
            <dict>
                <key>\(ATSKey.exceptions)</key>
                <dict>
                    <key>\(host)</key>
                    <dict>
            \(keys.joined(separator: "\n"))
                    </dict>
                </dict>
            </dict>
            """
    }
}
