#if os(iOS) && canImport(ManagedApp)
internal import ManagedApp

/// Apple's declarative channel: `AppConfig` of the declaration com.apple.configuration.app.managed
/// (developer.apple.com/documentation/managedapp).
///
/// It forwards: what a configuration means, and what follows when there is none, is decided by `ManagedDeclarations`.
/// It is compiled, and was never run on an Apple system.
@available(iOS 18.4, *)
enum ManagedAppChannel {
    /// What came, and everything that comes for as long as the process runs. There is one such channel for a process,
    /// and the system makes the values of it: they find this by its name.
    static let started: ManagedDeclarations = {
        Task.detached {
            for await found in await ManagedAppConfigurationProvider().configurations(DeclaredRules.self) {
                declarations.take(found.map(\.rules))
            }
        }
        return declarations
    }()

    fileprivate static let declarations = ManagedDeclarations()
}

/// What the system has decoded; it gives nothing but a decoder.
@available(iOS 18.4, *)
private struct DeclaredRules: Decodable, Sendable {
    let rules: ManagedConfiguration?

    init(from decoder: any Decoder) throws {
        do throws(ManagedConfiguration.Failure) {
            rules = try ManagedAppChannel.declarations.decode(decoder)
        } catch {
            let report = error.report
            guard let code = ManagedAppConfigurationDecodingErrorCode(rawValue: report.code) else { throw error }
            throw DeclaredRulesRefusal(code: code, message: report.message)
        }
    }
}

/// What the management server is told: "invalid", with these two in the device's log.
@available(iOS 18.4, *)
private struct DeclaredRulesRefusal: ManagedAppConfigurationDecodingError {
    let code: ManagedAppConfigurationDecodingErrorCode
    let message: String
}
#endif
