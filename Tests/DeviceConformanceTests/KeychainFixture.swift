import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport

/// A keychain on a device with a passcode, and a person who types what the test says.
struct KeychainFixture {
    let device: DeviceFixture
    let person: TypingPerson
    var environment: SecurityEnvironment

    init(_ answers: String...) throws {
        device = try DeviceFixture()
        person = TypingPerson(answers)
        environment = SecurityEnvironment(
            home: device.home, accessGroups: ["one"], lock: LockSwitch(following: device.home))
        environment.device = device.environment
        environment.evaluator = SystemEvaluator(person)
    }

    /// Runs `body` with this keychain in place.
    @discardableResult
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(environment) { try body() }
    }

    /// The same for work that waits.
    func run(_ body: () async throws -> Void) async rethrows {
        try await SecurityEnvironment.$override.withValue(environment) { try await body() }
    }

    /// Sets the passcode `1234`.
    func setPasscode() throws {
        try device.open().setPasscode(SecretBytes(utf8: "1234"), cost: DeviceFixture.cheap)
    }
}

/// Types the answers one after the other, then stops every question.
final class TypingPerson: PasscodeAsker {
    private let answers: Mutex<[String]>
    private let asked = Mutex(0)

    init(_ answers: [String]) { self.answers = Mutex(answers) }

    /// How often something was asked.
    var questions: Int { asked.withLock { $0 } }

    func will(type answer: String) { answers.withLock { $0.append(answer) } }

    func ask(_ question: PasscodeQuestion) throws(DeviceFailure) -> SecretBytes {
        asked.withLock { $0 += 1 }
        guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw .cancelled }
        return SecretBytes(utf8: answer)
    }
}

/// A generic password's query, with more entries on top.
func password(_ account: String = "anna", _ more: [String: Any] = [:]) -> [String: Any] {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecAttrService as String: "mail",
    ]
    return query.merging(more) { _, new in new }
}

/// Adds with the value `secret` and gives the status.
@discardableResult
func add(_ query: [String: Any], _ value: String = "secret") -> OSStatus {
    SecItemAdd(query.merging([kSecValueData as String: Data(value.utf8)]) { $1 } as CFDictionary, nil)
}

/// Status and result of a search.
func copy(_ query: [String: Any], _ more: [String: Any] = [:]) -> (status: OSStatus, result: AnyObject?) {
    var result: AnyObject?
    let status = unsafe SecItemCopyMatching(query.merging(more) { $1 } as CFDictionary, &result)
    return (status, result)
}

/// Status and value of one item.
func value(_ query: [String: Any], _ more: [String: Any] = [:]) -> (OSStatus, String?) {
    let (status, result) = copy(query.merging([kSecReturnData as String: true]) { $1 }, more)
    return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
}

/// An access control.
func control(
    _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
) -> [String: Any] {
    let control = SecAccessControlCreateWithFlags(nil, protection, flags, nil)
    return [kSecAttrAccessControl as String: control as Any]
}
