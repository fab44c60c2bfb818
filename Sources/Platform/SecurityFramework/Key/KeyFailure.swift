internal import Foundation
internal import PaviseCrypto
internal import PaviseDevice

/// Why a key operation did not give a result.
enum KeyFailure: Error, Hashable, Sendable {
    /// -50: wrong input, or an algorithm that the key does not support.
    case parameter(String)
    /// -4: something that keys of this kind never do.
    case unimplemented(String)
    /// -67808: the signature does not belong to the data and the key.
    case mismatch
    /// Another status.
    case status(OSStatus, String)

    /// One answer for every defect of a packet or a key: -50.
    init(_ failure: CryptoFailure) {
        switch failure {
        case .authentication: self = .parameter("the data does not fit the key")
        case .invalidKey: self = .parameter("the bytes are no key of this type")
        case .invalidParameter(let text): self = .parameter(text)
        case .library(let operation, let reason): self = .status(errSecInternalComponent, "\(operation): \(reason)")
        case .entropy: self = .status(errSecInternalComponent, "no random bytes")
        }
    }

    init(_ failure: DeviceFailure) {
        switch failure {
        case .invalidInput: self = .parameter("the bytes are no point or digest")
        case .unknownKey: self = .status(errSecItemNotFound, failure.explanation)
        case .busy: self = .status(errSecInteractionNotAllowed, failure.explanation)
        default: self = .status(StatusFailure.status(failure), failure.explanation)
        }
    }

    /// Runs `body` and says its failure in this layer's words.
    static func reporting<Result: ~Copyable>(_ body: () throws -> Result) throws(KeyFailure) -> Result {
        do {
            return try body()
        } catch let failure as KeyFailure {
            throw failure
        } catch let failure as CryptoFailure {
            throw .init(failure)
        } catch let failure as DeviceFailure {
            throw .init(failure)
        } catch let failure as StatusFailure {
            throw .status(failure.status, StatusNames.message(for: failure.status) ?? "The keychain refused.")
        } catch {
            throw .status(errSecInternalComponent, "unexpected failure")
        }
    }

    /// -25311.
    static func sizeNotOffered(_ bits: Int) -> KeyFailure {
        .status(errSecKeySizeNotAllowed, "Keys of \(bits) bits are not offered.")
    }

    /// The status alone, for the older functions.
    var code: OSStatus {
        switch self {
        case .parameter: errSecParam
        case .unimplemented: errSecUnimplemented
        case .mismatch: errSecVerifyFailed
        case .status(let code, _): code
        }
    }

    /// The error that crosses the API.
    var error: CFError {
        switch self {
        case .parameter(let text): StatusError.make(errSecParam, text)
        case .unimplemented(let text): StatusError.make(errSecUnimplemented, text)
        case .mismatch: StatusError.make(errSecVerifyFailed, "The signature does not belong to the data and the key.")
        case .status(let code, let text): StatusError.make(code, text)
        }
    }
}
