#if canImport(DeviceCheck)
internal import DeviceCheck
internal import Foundation

/// The system's App Attest. Written against the documentation, never run on an Apple system.
enum PlatformAppAttest: AppAttestService {
    case system

    static var service: (any AppAttestService)? { system }

    var isSupported: Bool { DCAppAttestService.shared.isSupported }

    func makeKey() async throws(AppAttestRefusal) -> String {
        do { return try await DCAppAttestService.shared.generateKey() } catch { throw Self.refusal(error) }
    }

    func attestation(of id: String, _ hash: [UInt8]) async throws(AppAttestRefusal) -> [UInt8] {
        do {
            return [UInt8](try await DCAppAttestService.shared.attestKey(id, clientDataHash: Data(hash)))
        } catch {
            throw Self.refusal(error)
        }
    }

    func assertion(by id: String, _ hash: [UInt8]) async throws(AppAttestRefusal) -> [UInt8] {
        do {
            return [UInt8](try await DCAppAttestService.shared.generateAssertion(id, clientDataHash: Data(hash)))
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: any Error) -> AppAttestRefusal {
        guard let error = error as? DCError else { return .failed(code: (error as NSError).code) }
        return switch error.code {
        case .featureUnsupported: .notSupported
        case .invalidKey: .keyLost
        case .serverUnavailable: .serverUnavailable
        default: .failed(code: error.code.rawValue)
        }
    }
}
#endif
