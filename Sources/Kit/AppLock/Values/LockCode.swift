internal import PavisePrimitives
internal import PaviseValidation

/// What a person types to open an app lock.
public enum LockCode: String, Hashable, Sendable, CaseIterable {
    /// Digits.
    case pin
    /// Words, at least eight characters.
    case passphrase

    /// Its name within a sentence.
    public var word: String {
        switch self {
        case .pin: "PIN"
        case .passphrase: "passphrase"
        }
    }
}

extension AppLockPolicy {
    /// What was typed, in the form that the lock's key is derived from.
    func form(_ typed: borrowing SecretBytes, _ code: LockCode) throws(AppLockFailure) -> SharedSecretBytes {
        switch code {
        case .pin:
            do throws(PINProblem) { return SharedSecretBytes(try pin.digits(in: typed)) } catch { throw .pin(error) }
        case .passphrase:
            do throws(PassphraseProblem) {
                return SharedSecretBytes(try passphrase.text(in: typed))
            } catch {
                throw .passphrase(error)
            }
        }
    }

    /// Judges a code that is being chosen, in its form.
    func checkNew(_ form: borrowing SecretBytes, _ code: LockCode) throws(AppLockFailure) {
        guard codes.contains(code) else { throw .otherCode(code == .pin ? .passphrase : .pin) }
        switch code {
        case .pin: do throws(PINProblem) { try pin.checkNew(form) } catch { throw .pin(error) }
        case .passphrase:
            do throws(PassphraseProblem) { try passphrase.checkNew(form) } catch { throw .passphrase(error) }
        }
    }
}
