// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// A running program, and what it was granted. On Linux that is configuration and no proof: see
/// ``SecTaskCreateFromSelf(_:)``.
public final class SecTask: Hashable, Sendable, TypeIdentified {
    fileprivate let groups: [String]
    fileprivate let identifier: String

    package static let typeNumber = TypeNumber.task

    fileprivate init(groups: [String], identifier: String) {
        self.groups = groups
        self.identifier = identifier
    }

    /// Whether both are the same object.
    public static func == (one: SecTask, other: SecTask) -> Bool { one === other }

    /// Mixes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    // A program without groups is one without entitlements: -34018 in every call of the keychain.
    fileprivate func value(_ entitlement: String) -> CFTypeRef? {
        guard !groups.isEmpty else { return nil }
        switch entitlement {
        case "keychain-access-groups": return groups as NSArray
        case "application-identifier", "com.apple.application-identifier": return identifier as NSString
        default: return nil
        }
    }
}

/// The number of tasks' kind; see ``CFGetTypeID(_:)``.
public func SecTaskGetTypeID() -> CFTypeID { TypeNumber.task }

/// This program. Its entitlements are the access groups that its keychain calls use, the default first, and its name;
/// nobody signed them (ThreatModel.md).
///
/// ```swift
/// let groups = SecTaskCreateFromSelf(nil).flatMap {
///     SecTaskCopyValueForEntitlement($0, "keychain-access-groups" as CFString, nil) as? [String]
/// }
/// ```
public func SecTaskCreateFromSelf(_ allocator: CFAllocator?) -> SecTask? {
    SecTask(
        groups: SecurityEnvironment.current.accessGroups, identifier: ApplicationIdentity.current.identifier)
}

/// The value of one entitlement: `keychain-access-groups`, a list of texts, and `application-identifier` (on macOS
/// `com.apple.application-identifier`), a text.
///
/// - Parameters:
///   - task: What ``SecTaskCreateFromSelf(_:)`` gave.
///   - entitlement: Its name.
///   - error: Untouched: reading them cannot fail here.
/// - Returns: `nil` for any other entitlement: the program does not have it.
@safe
public func SecTaskCopyValueForEntitlement(
    _ task: SecTask, _ entitlement: CFString, _ error: ErrorTarget?
) -> CFTypeRef? { task.value(entitlement as String) }

/// The values of several entitlements, by their names; those that the program does not have are left out.
///
/// - Parameters:
///   - task: What ``SecTaskCreateFromSelf(_:)`` gave.
///   - entitlements: Their names; what is no text is left out.
///   - error: Untouched: reading them cannot fail here.
@safe
public func SecTaskCopyValuesForEntitlements(
    _ task: SecTask, _ entitlements: CFArray, _ error: ErrorTarget?
) -> CFDictionary? {
    let names = entitlements.compactMap { $0 as? String }
    let found = names.compactMap { name in task.value(name).map { (name, $0) } }
    return Dictionary(found, uniquingKeysWith: { first, _ in first }) as NSDictionary
}
