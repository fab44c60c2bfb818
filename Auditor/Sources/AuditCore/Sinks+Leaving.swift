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
        case "addUserInfoEntries":
            for argument in call.arguments where argument.value.sensitive != nil {
                report("IPC-SENSITIVE", call.node, "\(argument.value.sensitiveName) goes to other apps", argument.value)
            }
        default: break
        }
    }
}
