/// Code that others publish or a program writes, by its place below the audited folder: its findings are counted, and do
/// not decide the status. A secret there is the app's all the same.
package enum ForeignCode {
    private static let vendored: Set = [
        "Vendor", "vendor", "Vendors", "Vendored", "vendored", "ThirdParty", "Third-Party", "third-party",
        "third_party",
        "thirdparty",
    ]
    private static let generated: Set = ["Generated", "generated", "__generated__"]
    private static let endings = [".generated.swift", ".pb.swift", ".grpc.swift"]

    /// `vendored` or `generated`; `nil` for the app's own.
    package static func origin(of file: String) -> String? {
        let parts = file.split(separator: "/")
        if parts.dropLast().contains(where: { vendored.contains(String($0)) }) { return "vendored" }
        if endings.contains(where: file.hasSuffix) { return "generated" }
        return parts.dropLast().contains { generated.contains(String($0)) } ? "generated" : nil
    }
}
