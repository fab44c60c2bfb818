internal import PavisePrimitives

/// A SwiftPM toolset (SE-0387) that gives a package Apple's module names without a change to its files.
struct Toolset {
    private let library: ToolsetLibrary
    private let carriesURLSession: Bool

    /// - Parameter carriesURLSession: Whether the package's `URLSession` goes through Pavise, too.
    init(_ library: ToolsetLibrary, carriesURLSession: Bool = false) {
        self.library = library
        self.carriesURLSession = carriesURLSession
    }

    /// The file's content.
    var data: JSONValue {
        .fields([
            "schemaVersion": .string("1.0"),
            "swiftCompiler": .fields(["extraCLIOptions": .array(options.map { .string($0) })]),
        ])
    }

    // The alias makes `import Security`, `Security.kSecClass` and `canImport(Security)` work. The implicit import is
    // for
    // files that import only Foundation, which on Apple's systems brings these names along.
    private var options: [String] {
        let folder = library.path
        let find = ["-I", folder, "-I", folder + "/include"]
        let link = ["-L", folder, "-l" + ToolsetLibrary.name, "-Xlinker", "-rpath", "-Xlinker", folder]
        let module = "SecurityFramework"
        let security = ["-module-alias", "Security=" + module, "-Xfrontend", "-import-module", "-Xfrontend", module]
        let authentication = ["-module-alias", "LocalAuthentication=PaviseLocalAuthentication"]
        return find + link + security + (library.hasLocalAuthentication ? authentication : [])
            + (carriesURLSession ? session : [])
    }

    // A file that imports only Foundation gets the names of URLSession by the implicit import. In one that imports
    // FoundationNetworking, the module stands before it as what Swift calls a cross-import overlay; the compiler
    // looks for it
    // beside FoundationNetworking, and the file shows it there.
    private var session: [String] {
        [
            "-Xfrontend", "-import-module", "-Xfrontend", "PaviseNetworking", "-Xfrontend",
            "-enable-cross-import-overlays", "-vfsoverlay", library.path + "/" + ToolsetLibrary.overlay,
        ]
    }
}
