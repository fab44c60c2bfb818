// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// What an evaluation asks for.
public enum LAPolicy: Int, Hashable, Sendable {
    /// Biometry alone: never available on Linux.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// Biometry or the passcode: the passcode on Linux.
    case deviceOwnerAuthentication = 2
    /// A companion device: never available on Linux.
    case deviceOwnerAuthenticationWithWatch = 3
    /// Biometry or a companion device: never available on Linux.
    case deviceOwnerAuthenticationWithBiometricsOrWatch = 4
}

/// Which biometry there is; on Linux ``none``.
public enum LABiometryType: Int, Hashable, Sendable {
    /// None.
    case none = 0
    /// Fingerprint.
    case touchID = 1
    /// Face.
    case faceID = 2
    /// Iris.
    case opticID = 4
}

/// A credential that the program itself brings.
public enum LACredentialType: Int, Hashable, Sendable {
    /// The password for items with `SecurityFramework.SecAccessControlCreateFlags.applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card; not used on Linux.
    case smartCardPIN = -3
}

/// What an access control is evaluated for.
public enum LAAccessControlOperation: Int, Hashable, Sendable {
    /// An item is stored.
    case createItem = 0
    /// An item is read.
    case useItem = 1
    /// A key is made.
    case createKey = 2
    /// A key signs.
    case useKeySign = 3
    /// A key decrypts.
    case useKeyDecrypt = 4
    /// A key agrees on a secret.
    case useKeyKeyExchange = 5
}

/// The longest time, in seconds, for which an unlock by biometry may count for an app.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
