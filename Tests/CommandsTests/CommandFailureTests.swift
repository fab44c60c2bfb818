import Foundation
import PaviseAppLock
import PaviseArguments
import PaviseBuildCheck
import PaviseCrypto
import PaviseDevice
import PaviseJWT
import PaviseManaged
import PaviseProtectedStorage
import PaviseSync
import PaviseTransport
import PaviseVault
import SecurityFramework
import Testing

@testable import Pavise
@testable import PaviseCommands
@testable import PavisePrimitives
@testable import PaviseSession
@testable import PaviseStorage

/// Every error of the modules below the program ends in words for a person, and not in the name of its type.
@Suite struct CommandFailureTests {
    private static let system = SystemFailure(operation: "open", path: "/canary", code: 13)
    private static let certificate = CertificateRefusal(
        failures: [.unknownAuthority], summary: nil, canBeApproved: false)

    private static let errors: [any Error] = [
        FileLock.Failure.held(owner: "pid 1"), system, EntropyFailure(code: 5), ByteReader.Truncated(),
        JSONFailure.malformed(offset: 3), PropertyListFailure.unknownFormat, ValueProblem.severalLines,
        VaultFailure.locked(status: -25_308), DeviceFailure.locked, HomeBackupFailure.busy,
        StorageFailure.locked,
        ProtectedDatabaseError.locked,
        CryptoFailure.authentication, KeyFileFailure.malformed, PKCS12Failure.malformed, TLSFailure.closed,
        DERFailure(),
        X509Failure.malformed, MarkBridge.Failure.damaged, PINKeyDerivationBridge.Failure.damaged,
        StatusFailure(-25_300), KeychainRepair.Failure.device("The device is gone."), LogListFailure.noOperators,
        TransportFailure.cancelled(sent: false), certificate, ServerTrustDamage.unreadable, WebURL.Problem.empty,
        ManagedConfiguration.Failure.noObject, PinSet.Problem.noPin, ClientCertificate.Problem.asksPerson,
        LogoutTokenProblem.nobody, LockDemand.set(.pin),
        AppLockFailure.locked(.requested), OrderRules.Problem.empty, BiometricRefusal.failed,
        JSONWebKeyProblem.malformed, TokenProblem.malformed,
        ConnectionsFailure.busy, ConnectionFileDamage.altered, ConnectionProblem.keychain(.locked(status: -25_308)),
        DescriptorDamage.missing,
        ConnectionFileFailure.busy, SettingsFailure.busy,
        BasicAccess.Problem.colonInName, BrowserFailure("none"), CallbackProblem.malformed,
        DiscoveryFailure.unusableIssuer,
        IDTokenProblem.missing, LoopbackListener.Failure.timeout, RedirectAddress.Problem.malformed,
        RegistrationProblem.notOffered, SignInFailure.timeout, UserInfoFailure.notOffered, SessionFailure.signedOut,
        DPoPProofWriter.Failure.key(.locked(status: -25_308)),
        ConnectRefusal.withoutTLS, RolledBack(reason: VaultFailure.locked(status: -25_308), leftovers: [system]),
        ConnectionFailure.servers(.busy),
        ServersFailure.busy, MethodRefusal.unknown(.basic), ProgramProblem.otherFormat,
        BuildPolicy.Problem(description: "The policy is none."),
        SyncFailure.busy, SyncFailure.locked, SyncFailure.notTrusted(.transport(.untrusted(certificate))),
    ]

    @Test func `what is damaged says what mends it`() {
        let failures: [any Error] = [
            ClientCertificate.Problem.damaged, ServerTrustDamage.unreadable, StorageFailure.damaged(.content),
            ProtectedDatabaseError.damaged(.head), SyncFailure.journal("A row of the journal cannot be read."),
        ]
        for failure in failures {
            let words = CommandFailure(describing: failure).message
            #expect(words.contains("backup") || words.contains("connect again"), "\(words)")
        }
        let error = PaviseError(StorageFailure.damaged(.content))
        #expect(error.message(in: .english).contains("backup") && error.message(in: .german).contains("Sicherung"))
    }

    @Test(arguments: errors.indices)
    func `each error has a sentence of its own`(_ index: Int) {
        let error = Self.errors[index]
        let shown = CommandFailure(describing: error)
        #expect(!shown.message.contains("unforeseen"), "\(type(of: error))")
        #expect(shown.message.contains(" ") && shown.message.hasSuffix("."), "\(shown.message)")
        #expect(shown.status != .done)
    }

    @Test func `who reads German gets the catalogue's words first, and the program's own after them`() {
        let stage = Stage()
        let console = Console(
            output: stage.output, messages: stage.messages, allowsColour: false, language: .german)
        let failure = CommandFailure(describing: TransportFailure.timeout(sent: false))
        console.show(failure, asJSON: false)
        let lines = stage.messages.text.split(separator: "\n").map(String.init)
        let said = PaviseError(TransportFailure.timeout(sent: false))
        #expect(lines.first == "\(said.title(in: .german)). \(said.message(in: .german))")
        #expect(lines.last == failure.message)
        // A script reads the same in every language.
        console.show(failure, asJSON: true)
        #expect(!stage.output.text.contains(said.title(in: .german)))
    }

    @Test(arguments: errors.indices)
    func `what an app has words for, the program says with them too`(_ index: Int) {
        let error = Self.errors[index]
        let code = PaviseError(error).code
        #expect(CommandFailure(describing: error).told?.code == (code == .unknown ? nil : code))
        let english = CommandFailure(describing: error).report(in: .english).parts.count
        let german = CommandFailure(describing: error).report(in: .german).parts.count
        #expect(german == english + (code == .unknown ? 0 : 1), "\(error)")
    }

    // Made of a text or a value that only their own module has, turned into another error there, the program's own, or
    // of something that the program never does.
    private static let elsewhere: Set<String> = [
        "ATSReadingFailure", "ATSRefusal", "ReadingFailure", "TPMFailure", "OrderFailure", "TokenSendFailure",
        "AppLockPolicy", "UsageError", "Invalid", "CommandFailure", "ManagedFile", "Unreadable",
        "AppAttestRefusal",
    ]

    @Test func `no error of a module that the program imports is left out of that list`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let folders = [
            "Platform/Primitives", "Platform/CryptoBackend", "Platform/DeviceProtection", "Platform/SecurityFramework",
            "Platform/ProtectedStorage", "Kit/Vault", "Kit/Transport", "Kit/Log", "Kit/AppLock", "Kit/JSONWebTokens",
            "Kit/Storage", "Kit/Session", "Kit/Pavise", "Kit/Sync",
            "Tools/BuildCheck", "Tools/Arguments", "Tools/Commands",
        ]
        let tried = Set(Self.errors.map { "\(type(of: $0))" })
        var found = 0
        for folder in folders {
            let place = root.appendingPathComponent(folder).path
            for file in try FileManager.default.subpathsOfDirectory(atPath: place) where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(place)/\(file)", encoding: .utf8)
                for match in text.matches(of: /(?:public|package) (?:enum|struct) (\w+): Error\b/) {
                    let name = String(match.1)
                    found += 1
                    #expect(tried.contains(name) || Self.elsewhere.contains(name), "\(folder)/\(file): \(name)")
                }
            }
        }
        #expect(found > 60)
    }
}
