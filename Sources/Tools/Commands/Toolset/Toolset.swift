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
        return find + link + security + (library.hasLocalAuthentication ? authentication : []) + overlays
            + (carriesURLSession ? ["-Xfrontend", "-import-module", "-Xfrontend", "PaviseNetworking"] : [])
    }

    // What Swift calls a cross-import overlay: the compiler looks for a list of modules beside Foundation and beside
    // FoundationNetworking, and is shown one there. In a file that imports Foundation, the module that warns of file
    // protection stands before it; in one that imports FoundationNetworking, Pavise's URLSession. A file that imports
    // only Foundation gets the names of URLSession by the implicit import.
    private var overlays: [String] {
        let files =
            (library.warnsOfFileProtection ? [ToolsetLibrary.fileProtection] : [])
            + (carriesURLSession ? [ToolsetLibrary.overlay] : [])
        guard !files.isEmpty else { return [] }
        return ["-Xfrontend", "-enable-cross-import-overlays"]
            + files.flatMap { ["-vfsoverlay", library.path + "/" + $0] }
    }
}
