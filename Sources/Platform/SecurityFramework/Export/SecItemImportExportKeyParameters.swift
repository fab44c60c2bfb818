// Apple's names, with the optionals that C gives them there.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import PaviseCrypto
internal import PavisePrimitives

/// The version of ``SecItemImportExportKeyParameters``.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0

/// A keychain of macOS in a file. There is none here, and nothing makes one: `nil` takes its place.
public final class SecKeychain: Sendable {
    private init() {}
}

/// A list of programs that may use a key, on macOS. There is none here, and nothing makes one: `nil` takes its place.
public final class SecAccess: Sendable {
    private init() {}
}

/// The passphrase and wishes about keys, for ``SecItemExport(_:_:_:_:_:)`` and ``SecItemImport(_:_:_:_:_:_:_:_:)``.
///
/// ```swift
/// var parameters = SecItemImportExportKeyParameters()
/// parameters.passphrase = Unmanaged.passUnretained(passphrase as CFString)
/// ```
@safe
public struct SecItemImportExportKeyParameters {
    /// `SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION`; another number is refused with -50.
    public var version: UInt32 = 0
    /// How keys are treated.
    public var flags = SecKeyImportExportFlags()
    /// A `CFString` or `CFData` without a zero byte, at most 1023 bytes. The caller keeps it alive during the call.
    public var passphrase: Unmanaged<CFTypeRef>?
    /// Without effect: nobody is asked.
    public var alertTitle: Unmanaged<CFString>!
    /// Without effect: nobody is asked.
    public var alertPrompt: Unmanaged<CFString>!
    /// Without effect.
    public var accessRef: Unmanaged<SecAccess>?
    /// Without effect: keys that are read are in memory, and for every use of their kind.
    public var keyUsage: Unmanaged<CFArray>?
    /// Without effect, as ``keyUsage``.
    public var keyAttributes: Unmanaged<CFArray>?

    /// No passphrase, no wishes.
    public init() {}

    /// All members.
    public init(
        version: UInt32, flags: SecKeyImportExportFlags, passphrase: Unmanaged<CFTypeRef>?,
        alertTitle: Unmanaged<CFString>!, alertPrompt: Unmanaged<CFString>!, accessRef: Unmanaged<SecAccess>?,
        keyUsage: Unmanaged<CFArray>?, keyAttributes: Unmanaged<CFArray>?
    ) {
        self.version = version
        self.flags = flags
        unsafe self.passphrase = passphrase
        unsafe self.alertTitle = alertTitle
        unsafe self.alertPrompt = alertPrompt
        unsafe self.accessRef = accessRef
        unsafe self.keyUsage = keyUsage
        unsafe self.keyAttributes = keyAttributes
    }
}

/// The parameters as a call uses them.
struct KeyFileParameters: ~Copyable {
    let flags: SecKeyImportExportFlags
    let hasPassphrase: Bool
    /// Empty without a passphrase.
    let secret: SecretBytes

    /// - Throws: -50 for another version, -25261 for a passphrase that is neither text nor data.
    @safe
    init(_ given: UnsafePointer<SecItemImportExportKeyParameters>?) throws(StatusFailure) {
        let parameters = unsafe given?.pointee ?? SecItemImportExportKeyParameters()
        guard parameters.version == UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION) else {
            throw StatusFailure(errSecParam)
        }
        let passphrase = unsafe parameters.passphrase?.takeUnretainedValue()
        var bytes = try Self.bytes(passphrase)
        defer { Wipe.bytes(&bytes) }
        secret = SecretBytes(copying: bytes.span)
        hasPassphrase = passphrase != nil
        flags = parameters.flags
    }

    private static func bytes(_ passphrase: CFTypeRef?) throws(StatusFailure) -> [UInt8] {
        switch passphrase {
        case nil: []
        case let text as CFString: Array((text as String).utf8)
        case let data as CFData: data.copiedBytes
        default: throw StatusFailure(errSecInvalidPasswordRef)
        }
    }

    /// The passphrase for C.
    ///
    /// - Throws: -25260 without one, -25261 for one that cannot be used.
    func passphrase() throws(StatusFailure) -> KeyPassphrase {
        guard hasPassphrase else { throw StatusFailure(errSecPassphraseRequired) }
        do throws(KeyFileFailure) { return try KeyPassphrase(secret) } catch {
            throw StatusFailure(errSecInvalidPasswordRef)
        }
    }
}

extension StatusFailure {
    /// Runs `body` and says its failure as a status.
    static func reading<Result>(_ body: () throws(KeyFileFailure) -> Result) throws(StatusFailure) -> Result {
        do throws(KeyFileFailure) { return try body() } catch { throw StatusFailure(error.status) }
    }
}

extension KeyFileFailure {
    var status: OSStatus {
        switch self {
        case .malformed, .excessive: errSecDecode
        case .passphrase: errSecAuthFailed
        case .encryptionHead: errSecUnknownFormat
        case .unsupported: errSecUnsupportedFormat
        }
    }
}
