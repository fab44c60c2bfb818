internal import Foundation

/// The folder that `make toolset` fills: the framework as one dynamic library, and what a compiler needs to read it.
struct ToolsetLibrary {
    /// The library's name, as a linker wants it.
    static let name = "PaviseSecurity"

    /// The file that shows the compiler what stands before FoundationNetworking.
    static let overlay = "networking.yaml"

    /// The file that shows the compiler what stands before Foundation.
    static let fileProtection = "fileprotection.yaml"

    /// The folder's path, without links and relative parts.
    let path: String

    /// - Returns: `nil` when the folder is not one of these.
    init?(at folder: String) {
        path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        guard has("lib\(Self.name).so"), has("SecurityFramework.swiftmodule"), has("include") else { return nil }
    }

    /// The one that was installed or built beside the program at `program`.
    static func beside(_ program: String) -> ToolsetLibrary? {
        let folder = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent().path
        return [folder + "/../lib/pavise", folder + "/../../toolset"].lazy.compactMap(ToolsetLibrary.init(at:)).first
    }

    /// Whether `import LocalAuthentication` has something to find.
    var hasLocalAuthentication: Bool { has("PaviseLocalAuthentication.swiftmodule") }

    /// Whether a package's `URLSession` can go through Pavise.
    var hasURLSession: Bool { has("PaviseNetworking.swiftmodule") && has(Self.overlay) }

    /// Whether the compiler warns where a file asks for Data Protection, which Linux has not.
    var warnsOfFileProtection: Bool { has("PaviseFileProtection.swiftmodule") && has(Self.fileProtection) }

    private func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
}
