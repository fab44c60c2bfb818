internal import PaviseCrypto
internal import PavisePrimitives

extension DeviceFailure {
    /// Runs `body` and says its failure in this layer's words.
    static func reporting<Result: ~Copyable>(_ body: () throws -> Result) throws(DeviceFailure) -> Result {
        do {
            return try body()
        } catch let failure as DeviceFailure {
            throw failure
        } catch let failure as TPMFailure {
            throw failure.kind == .point ? .invalidInput : .hardware(failure)
        } catch let failure as SystemFailure {
            // A file that holds more than any of its kind is not what was written, and the disk is not full.
            throw failure.isTooLarge && failure.operation == "read" ? .damaged(file: failure.path) : .system(failure)
        } catch let failure as CryptoFailure {
            throw .init(failure)
        } catch FileLock.Failure.held(let owner) {
            throw .busy(owner: owner)
        } catch FileLock.Failure.system(let failure) {
            throw .system(failure)
        } catch is EntropyFailure {
            throw .crypto("no random bytes")
        } catch {
            throw .crypto("unexpected failure")
        }
    }

    private init(_ failure: CryptoFailure) {
        switch failure {
        case .authentication: self = .unknownKey
        case .invalidKey, .invalidParameter: self = .invalidInput
        case .library(_, let reason): self = .crypto(reason)
        case .entropy: self = .crypto("no random bytes")
        }
    }
}
