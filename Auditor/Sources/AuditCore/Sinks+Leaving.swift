internal import SwiftSyntax

extension Pass {
    /// Values that go to other apps, and values of others that decide what happens here.
    func leaving(_ call: Call) {
        switch call.name {
        case "UIActivityViewController":
            for argument in call.arguments where argument.value.sensitive != nil && argument.label == "activityItems" {
                report(
                    "IPC-SENSITIVE", call.node, "\(argument.value.sensitiveName) goes to other apps", argument.value,
                    argument.value.sensitive == .person ? .note : nil)
            }
        case "ShareLink":
            guard let item = call["item"] ?? call["items"], item.value.sensitive != nil else { break }
            report(
                "IPC-SENSITIVE", call.node, "\(item.value.sensitiveName) goes to other apps", item.value,
                item.value.sensitive == .person ? .note : doubt(item.value))
        case "open":
            // The address of another app, which is whoever registered its scheme. What goes to the web is told there.
            guard call.owner.hasPrefix("UIApplication.") || call.receiver?.type == "UIApplication",
                let address = call[0]?.value, address.sensitive == .password || address.sensitive == .credential,
                let scheme = (address.prefix ?? address.text)?.firstRange(of: "://").map({ range in
                    (address.prefix ?? address.text ?? "")[..<range.lowerBound].lowercased()
                }), !["http", "https", "otpauth"].contains(scheme)
            else { break }
            report(
                "IPC-SENSITIVE", call.node, "\(address.sensitiveName) goes to whoever registered the scheme", address,
                doubt(address))
        case "addUserInfoEntries":
            for argument in call.arguments where argument.value.sensitive != nil {
                report("IPC-SENSITIVE", call.node, "\(argument.value.sensitiveName) goes to other apps", argument.value)
            }
        default: break
        }
    }
}
