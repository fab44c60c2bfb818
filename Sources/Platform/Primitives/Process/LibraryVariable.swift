internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A variable of the environment that a library of this process reads, and what Pavise does about it.
///
/// Libraries bring switches along that are meant for their developers: one writes the keys of each connection to a
/// file, another loads a module. Whoever may set a variable is not by that the one whose secrets these are. ``all`` is
/// the whole list; Documentation/Environment.md shows the same, and a test compares the two.
package struct LibraryVariable: Hashable, Sendable {
    /// What Pavise does about a variable.
    package enum Handling: String, Hashable, Sendable, CaseIterable {
        /// What the library would do with it is not used, or is set otherwise by Pavise: it has no effect, in apps too,
        /// unless the reason says what an app does for that.
        case ignored
        /// The program takes it away before anything else. In apps its effect is taken away, unless the reason says
        /// that an app takes it away itself.
        case removed
        /// Certificates that it names count as the app's own authorities, never as the system's. It is said aloud.
        case counted
        /// It had its effect before the first line of the program, which says that it is set.
        case told
        /// It keeps its effect, which gives nothing away and weakens no decision.
        case kept
    }

    /// The name; with `*` at its end every name that begins so.
    package let name: String
    /// Who reads it.
    package let library: String
    /// What Pavise does about it.
    package let handling: Handling
    /// What it would do, and why it does not, or may.
    package let reason: String

    private init(_ name: String, _ library: String, _ handling: Handling, _ reason: String) {
        self.name = name
        self.library = library
        self.handling = handling
        self.reason = reason
    }

    /// Whether `other` is this variable, or one of these.
    package func covers(_ other: String) -> Bool {
        name.hasSuffix("*") ? other.hasPrefix(name.dropLast()) : other == name
    }

    /// All that is known.
    package static let all: [LibraryVariable] = [
        .init(
            "SSLKEYLOGFILE", "libcurl, OpenSSL 3.5", .removed,
            "would write the keys of each TLS connection to a file"),
        .init("OPENSSL_CONF", "OpenSSL", .removed, "would name a configuration, which can load modules; none is read"),
        .init("OPENSSL_CONF_INCLUDE", "OpenSSL", .removed, "would name a folder of configurations; none is read"),
        .init(
            "OPENSSL_MODULES", "OpenSSL", .removed,
            "would name a folder of modules; they come from OpenSSL's own alone"),
        .init("OPENSSL_ENGINES", "OpenSSL", .removed, "would name a folder of engines; none is loaded"),
        .init(
            "CTLOG_FILE", "OpenSSL", .removed,
            "would name a list of certificate logs; OpenSSL is never asked about logs"),
        .init(
            "OPENSSL_ia32cap", "OpenSSL", .told,
            "chooses the processor's instructions; without those for AES its time may depend on keys"),
        .init(
            "OPENSSL_armcap", "OpenSSL", .told,
            "chooses the processor's instructions; without those for AES its time may depend on keys"),
        .init("RANDFILE", "OpenSSL", .removed, "would name a file of random bytes; they come from the kernel"),
        .init("QLOGDIR", "libcurl, OpenSSL", .removed, "would write the packets of QUIC to a folder; QUIC is not used"),
        .init("TSS2_LOG", "tpm2-tss", .removed, "would print what goes to the TPM and comes back, the root secret too"),
        .init("TSS2_LOGFILE", "tpm2-tss", .removed, "would name the file for that"),
        .init("TSS2_FAPICONF", "tpm2-tss", .ignored, "configures an interface that is not used"),
        .init(
            "TPM2TOOLS_TCTI", "tpm2-tools", .ignored,
            "names a TPM for other programs; PAVISE_TPM is the one of Pavise"),
        .init("SSL_CERT_FILE", "OpenSSL's users", .counted, "names a file of authorities in the place of the system's"),
        .init(
            "SSL_CERT_DIR", "OpenSSL's users", .counted,
            "names a folder of authorities in the place of the system's"),
        .init(
            "CURL_CA_BUNDLE", "curl", .ignored,
            "names authorities for the command-line tool; libcurl judges no server here"),
        .init(
            "CURL_SSL_BACKEND", "libcurl", .removed,
            "would choose another TLS library, which Pavise's judge cannot stand in"),
        .init("CURL_HOME", "curl", .ignored, "names the folder of a .curlrc, which only the command-line tool reads"),
        .init("CURL_*", "libcurl", .ignored, "is read by builds of libcurl for its developers alone"),
        .init("NETRC", "curl", .ignored, "names a file of passwords; .netrc is switched off"),
        .init("SSL_DIR", "curl with NSS", .ignored, "names a folder of another TLS library"),
        .init("http_proxy", "libcurl", .ignored, "names a proxy; an app that wants it uses ProxyRules.environment"),
        .init("https_proxy", "libcurl", .ignored, "names a proxy; an app that wants it uses ProxyRules.environment"),
        .init("HTTPS_PROXY", "libcurl", .ignored, "names a proxy; an app that wants it uses ProxyRules.environment"),
        .init("all_proxy", "libcurl", .ignored, "names a proxy; an app that wants it uses ProxyRules.environment"),
        .init("ALL_PROXY", "libcurl", .ignored, "names a proxy; an app that wants it uses ProxyRules.environment"),
        .init(
            "no_proxy", "libcurl", .ignored,
            "names servers without a proxy; an app that wants it uses ProxyRules.environment"),
        .init(
            "NO_PROXY", "libcurl", .ignored,
            "names servers without a proxy; an app that wants it uses ProxyRules.environment"),
        .init("KRB5*", "Kerberos, by libcurl", .ignored, "configures a way to sign in that is never offered"),
        .init("LDAP*", "OpenLDAP, by libcurl", .ignored, "configures a protocol that is switched off"),
        .init("SQLITE_TMPDIR", "SQLite", .ignored, "names a folder for temporary files; they stay in memory"),
        .init("SQLITE_HISTORY", "sqlite3", .ignored, "is read by the command-line tool alone"),
        .init(
            "RES_OPTIONS", "C library", .kept,
            "tunes the resolver; a server is judged by the name that was asked for"),
        .init(
            "LOCALDOMAIN", "C library", .kept,
            "names domains to search; a server is judged by the name that was asked for"),
        .init(
            "HOSTALIASES", "C library", .kept,
            "names other hosts to ask; a server is judged by the name that was asked for"),
        .init("RESOLV_*", "C library", .kept, "tunes the resolver; a server is judged by the name that was asked for"),
        .init(
            "GCONV_PATH", "C library", .removed,
            "would load modules for other character sets; an app takes it away itself"),
        .init("LOCPATH", "C library", .kept, "names a folder of locales; no decision is made in a person's language"),
        .init("TZDIR", "C library", .kept, "names a folder of time zones; times are judged in UTC"),
        .init(
            "ICU_DATA", "Foundation", .removed,
            "would name a folder of tables for texts; an app takes it away itself"),
        .init("GLIBC_TUNABLES", "C library", .told, "changes the allocator and the choice of instructions"),
        .init("MALLOC_*", "C library", .kept, "tunes or checks the allocator; secrets are wiped by their owners"),
        .init(
            "LD_PRELOAD", "loader", .told,
            "puts another library into the process, which can do all that the process can"),
        .init(
            "LD_AUDIT", "loader", .told,
            "puts another library into the process, which can do all that the process can"),
        .init("LD_LIBRARY_PATH", "loader", .told, "names folders in which libraries are looked for first"),
        .init("LD_DEBUG", "loader", .kept, "prints which libraries are loaded"),
        .init("LD_DEBUG_OUTPUT", "loader", .kept, "names the file for that"),
        .init("LD_PROFILE", "loader", .kept, "writes which functions of a library are called"),
        .init("LD_PROFILE_OUTPUT", "loader", .kept, "names the folder for that"),
        .init("LD_*", "loader", .told, "changes how libraries are found, loaded or bound"),
        .init(
            "SWIFT_BACKTRACE", "Swift", .ignored,
            "would print memory when a program crashes; the program forbids that, an app by MemoryProtection.start()"),
        .init("SWIFT_DETERMINISTIC_HASHING", "Swift", .told, "takes the chance out of hash tables"),
        .init(
            "URLSessionDebug*", "Foundation", .ignored,
            "prints requests of Foundation's own client, which is not used"),
        .init(
            "URLSessionCertificateAuthorityInfoFile", "Foundation", .ignored,
            "names authorities, or none, for Foundation's own client, which is not used"),
    ]

    /// Takes away what is ``Handling/removed``: the program's first step, before a second thread could look at the
    /// environment.
    package static func takeAway() {
        let removed = all.filter { $0.handling == .removed }.map(\.name)
        for name in removed { _ = unsafe unsetenv(name) }
    }

    /// The variables that are set and had their effect before the program began, by their own names.
    package static var told: [LibraryVariable] {
        let found = names.map { name in (name: name, known: all.first { $0.covers(name) }) }
        return all.filter { $0.handling == .told }.flatMap { variable in
            found.filter { $0.known == variable }.map {
                LibraryVariable($0.name, variable.library, variable.handling, variable.reason)
            }
        }
    }

    // The names of the variables that are not empty.
    private static var names: [String] {
        var found: [String] = []
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe environ
        while let entry = unsafe next?.pointee {
            let text = unsafe String(cString: entry)
            // By bytes, as the libraries read it.
            let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, !parts[1].isEmpty { found.append(String(decoding: parts[0], as: UTF8.self)) }
            unsafe next = unsafe next?.advanced(by: 1)
        }
        return found
    }

    /// The value of a variable in a process that has no more rights than the one that started it; empty counts as not
    /// set.
    package static func trusted(_ name: String) -> String? {
        guard let value = unsafe pavise_trusted_variable(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
