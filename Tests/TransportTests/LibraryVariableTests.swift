import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// The switches that libraries bring along (Documentation/Environment.md).
@Suite struct LibraryVariableTests {
    @Test func `stands in the documentation as in the source`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Documentation/Environment.md"), encoding: .utf8)
        let table = page.split(separator: "\n").drop { !$0.hasPrefix("| variable | read by") }.dropFirst(2)
        let wanted = LibraryVariable.all.map {
            "| `\($0.name)` | \($0.library) | \($0.handling.rawValue) | \($0.reason) |"
        }
        #expect(table.map(String.init) == wanted)
        #expect(Set(LibraryVariable.all.map(\.name)).count == LibraryVariable.all.count)
    }

    @Test func `that is removed is gone, and no other is`() async {
        await #expect(processExitsWith: .success) {
            for variable in LibraryVariable.all { unsafe setenv(variable.name, "x", 1) }
            LibraryVariable.takeAway()
            for variable in LibraryVariable.all {
                let isGone = unsafe getenv(variable.name) == nil
                #expect(isGone == (variable.handling == .removed), "\(variable.name)")
            }
            #expect(
                Set(LibraryVariable.told.map(\.name))
                    == Set(LibraryVariable.all.filter { $0.handling == .told }.map(\.name)))
        }
    }

    @Test func `of the loader that the table does not name is told by its own name`() async {
        await #expect(processExitsWith: .success) {
            for name in ["LD_BIND_NOT", "LD_HWCAP_MASK", "LD_DEBUG", "LD_PROFILE", "PAVISE_LD_X"] {
                unsafe setenv(name, "x", 1)
            }
            unsafe setenv("LD_DYNAMIC_WEAK", "", 1)
            unsafe setenv("OPENSSL_ia32cap", "~0x200000000000000", 1)
            let told = Set(LibraryVariable.told.map(\.name))
            #expect(told.isSuperset(of: ["LD_BIND_NOT", "LD_HWCAP_MASK", "OPENSSL_ia32cap"]))
            #expect(told.isDisjoint(with: ["LD_DEBUG", "LD_PROFILE", "PAVISE_LD_X", "LD_DYNAMIC_WEAK", "LD_*"]))
        }
    }

    @Test func `that begin alike have examples here, and no other has`() {
        let wanted = LibraryVariable.all.filter { $0.name.hasSuffix("*") && $0.handling != .told }
        #expect(Set(families.keys) == Set(wanted.map(\.name)))
        for variable in wanted {
            let names = families[variable.name] ?? []
            #expect(!names.isEmpty && names.allSatisfy(variable.covers), "\(variable.name)")
        }
    }

    // An app, whose environment Pavise does not change: each variable is set to what would show.
    @Test func `changes nothing in an app's requests, and gives no key away`() async throws {
        let folder = try TemporaryFolder()
        let path = { (name: String) in folder.path + "/" + name }
        try Data("machine localhost login mallory password canary\n".utf8).write(
            to: URL(fileURLWithPath: path("netrc")))
        try Data("machine localhost login mallory password canary\n".utf8).write(
            to: URL(fileURLWithPath: path(".netrc")))
        try Data("header = \"X-Curlrc: read\"\n".utf8).write(to: URL(fileURLWithPath: path(".curlrc")))
        // A configuration that would be seen: it activates a module.
        let configuration = """
            openssl_conf = start
            [start]
            providers = modules
            [modules]
            default = on
            legacy = on
            [on]
            activate = 1
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: path("openssl.cnf")))
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            for variable in LibraryVariable.all where variable.handling != .told {
                for name in families[variable.name] ?? [variable.name] { unsafe setenv(name, folder + "/none", 1) }
            }
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                unsafe setenv(name, "http://127.0.0.1:9", 1)
            }
            unsafe setenv("no_proxy", "", 1)
            unsafe setenv("NO_PROXY", "", 1)
            unsafe setenv("CURL_SSL_BACKEND", "gnutls", 1)
            unsafe setenv("HOME", folder, 1)
            unsafe setenv("CURL_HOME", folder, 1)
            unsafe setenv("NETRC", folder + "/netrc", 1)
            unsafe setenv("SSLKEYLOGFILE", folder + "/keys", 1)
            unsafe setenv("OPENSSL_CONF", folder + "/openssl.cnf", 1)
            // Where modules were looked for elsewhere, none could be loaded, and a configuration would not be seen.
            unsafe unsetenv("OPENSSL_MODULES")
            let lab = try TestLab()
            let answer = try await lab.get()
            #expect(answer.status == 200)
            let request = try #require(lab.server.requests.last)
            #expect(request.field("Authorization") == nil && request.field("X-Curlrc") == nil)
            #expect(try !isModuleLoaded("legacy"))
        }
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: path("keys"))).isEmpty, "libcurl makes the file; no key goes in")
    }

    @Test(arguments: ["anchors", "userApproval", ""])
    func `that names authorities does not count where the administrator forbids it`(_ rule: String) async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [folder = folder.path as String, rule = rule as String] in
            let lab = try TestLab()
            let pem =
                """
                -----BEGIN CERTIFICATE-----\n\(Data(lab.authority.anchor).base64EncodedString())\n-----END \
                CERTIFICATE-----\n
                """
            try Data(pem.utf8).write(to: URL(fileURLWithPath: folder + "/ca.pem"))
            unsafe setenv("SSL_CERT_FILE", folder + "/ca.pem", 1)
            var policy = TrustPolicy()
            if rule == "anchors" { policy.managed.anchors = .system }
            if rule == "userApproval" { policy.managed.personApproval = .forbidden }
            let client = try HTTPClient(policy: policy)
            let request = HTTPRequest("GET", try lab.url())
            guard rule.isEmpty else {
                let end = await failure { () throws(TransportFailure) in try await client.send(request) }
                guard case .untrusted(let refusal) = end else { throw CancellationError() }
                #expect(refusal.failures.contains(.unknownAuthority))
                return
            }
            #expect(try await client.send(request).status == 200)
        }
    }
}

/// Names that libraries read of those that the table has with a star: libcurl's are of builds for its developers.
private let families: [String: [String]] = [
    "CURL_*": [
        "CURL_DEBUG", "CURL_DNS_SERVER", "CURL_ENTROPY", "CURL_FORCEHOST", "CURL_FORCETIME", "CURL_GETHOSTNAME",
    ],
    "KRB5*": ["KRB5_CONFIG", "KRB5_TRACE", "KRB5CCNAME"],
    "LDAP*": ["LDAPCONF", "LDAPRC"],
    "RESOLV_*": ["RESOLV_HOST_CONF", "RESOLV_OVERRIDE_TRIM_DOMAINS"],
    "MALLOC_*": ["MALLOC_CHECK_", "MALLOC_PERTURB_"],
    "URLSessionDebug*": ["URLSessionDebug", "URLSessionDebugLibcurl"],
]

/// Whether OpenSSL has loaded a module into what all callers share.
private func isModuleLoaded(_ name: String) throws -> Bool {
    typealias Ask = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32
    let found = try unsafe #require(dlsym(nil, "OSSL_PROVIDER_available"))
    return unsafe unsafeBitCast(found, to: Ask.self)(nil, name) == 1
}
