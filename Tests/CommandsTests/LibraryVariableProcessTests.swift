import Foundation
import PavisePrimitives
import TestSupport
import Testing

/// The program, started with every switch that a library of its reads (Documentation/Environment.md).
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct LibraryVariableProcessTests {
    @Test func `the program takes its libraries' switches away, for its children too, and tells what came before it`()
        throws
    {
        let folder = try TemporaryFolder()
        // Loader and allocator act on theirs before the program does: values that change nothing.
        let harmless = ["LD_LIBRARY_PATH": "/nonexistent", "GLIBC_TUNABLES": "glibc.malloc.arena_max=8"]
        let skipped: Set<String> = [
            "LD_PRELOAD", "LD_AUDIT", "LD_DEBUG", "SWIFT_DETERMINISTIC_HASHING", "SWIFT_BACKTRACE",
        ]
        var variables = harmless
        for variable in LibraryVariable.all
        where !skipped.contains(variable.name) && !variable.name.hasSuffix("*") && harmless[variable.name] == nil {
            variables[variable.name] = folder.path + "/none"
        }
        variables["SSLKEYLOGFILE"] = folder.path + "/keys"
        variables["TSS2_LOGFILE"] = folder.path + "/tss"
        variables["TSS2_LOG"] = "all+trace"
        let pavise = try PaviseProcess(variables: variables)
        try pavise.program("env > '\(folder.path)/seen'; echo canary-1")
        let result = try pavise.run("device", "passcode")
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.messages.contains("Note: LD_LIBRARY_PATH is set; it names folders"))
        #expect(result.messages.contains("Note: GLIBC_TUNABLES is set"))
        let seen = try String(contentsOfFile: folder.path + "/seen", encoding: .utf8).split(separator: "\n")
        let names = Set(seen.compactMap { $0.split(separator: "=").first.map(String.init) })
        for variable in LibraryVariable.all where variable.handling == .removed {
            #expect(!names.contains(variable.name), "\(variable.name)")
        }
        #expect(names.contains("http_proxy"), "what is not taken away stays")
        // No connection to a server; one that is refused is enough for libcurl to start.
        let fetch = try pavise.run("ats", "diagnose", "https://127.0.0.1:1")
        #expect(fetch.status == 6)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["seen"])
    }
}
