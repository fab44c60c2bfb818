package import PavisePrimitives

extension AppLockMachine {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// The program started and looked at the record.
        case opened(Record, ClockReading)
        /// Somebody typed a PIN.
        case attempt(Purpose, ClockReading)
        /// What ``Action/store(_:)`` asked for is durable, or is not.
        case stored(Bool)
        /// The PIN unwrapped the key, or did not.
        case judged(Bool, ClockReading)
        /// The element could not judge: nobody learnt anything, and the count goes back.
        case unjudged
        /// The element itself refuses further tries for good.
        case blocked
        /// What became of a biometric question.
        case biometric(Biometric, ClockReading)
        /// A first PIN is being set.
        case establishing
        /// It could not be.
        case notEstablished
        /// A first PIN was set and is durable.
        case established(ClockReading)
        /// Somebody asks for the lock.
        case lock
        /// The app leaves the foreground.
        case left(ClockReading)
        /// It comes back.
        case returned(ClockReading)
        /// A person used it.
        case used(ClockReading)
        /// Time passed.
        case tick(ClockReading)
        /// The key is not where the unlock left it.
        case keyGone
        /// The figures are others.
        case rules(AppLockPolicy, ClockReading)
        /// The account that the lock protects has signed in anew, with its server.
        case signedIn
    }

    /// What the record says at a start.
    package enum Record: Hashable, Sendable {
        /// There is none, and nothing that needs one.
        case absent
        /// A PIN is set. The use is given where the key of an earlier unlock is at hand.
        case present(Attempts, Use?)
        /// Nobody can say.
        case unreadable(LockDamage)
        /// The final action was begun.
        case ending(AppLockPolicy.FinalAction)
        /// The final action was done.
        case ended(AppLockPolicy.FinalAction)
    }

    /// What became of a biometric question. There is no case for a bare "yes": the key itself is the answer (AL9).
    package enum Biometric: Hashable, Sendable {
        /// The system released the key that its access control guards, and it is this lock's key.
        case released
        /// The person stopped, or was not recognised.
        case failed
        /// Others are enrolled now; the key is gone.
        case enrolmentChanged
    }

    /// What is to be done.
    package enum Action: Hashable, Sendable {
        /// Make this count durable, then say ``Event/stored(_:)``, if a try waits for it.
        case store(Attempts)
        /// Let the element judge the PIN, then say ``Event/judged(_:_:)``.
        case judge
        /// The lock's key may be used from now on.
        case release
        /// Wrap the key with the new PIN.
        case rewrap
        /// Remove the PIN: the record goes, and what was sealed is opened to the device's own protection.
        case remove
        /// Wipe the lock's key from memory, in every process.
        case dropKey
        /// Take the final action; safe to repeat.
        case finish(AppLockPolicy.FinalAction)
        /// Cover what is on the screen before the system takes a picture of it (AL35).
        case cover
        /// The picture may be shown again.
        case uncover
        /// Say no.
        case refuse(AppLockFailure)
    }
}
