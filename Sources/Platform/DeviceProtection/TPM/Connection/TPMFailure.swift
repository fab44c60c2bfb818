/// A TPM, or the way to it, refused: what that means, and the code that it gave.
package struct TPMFailure: Error, Hashable, Sendable {
    /// What the refusal means.
    package enum Kind: String, Hashable, Sendable {
        /// `PAVISE_TPM` is no address.
        case address
        /// Nothing answers, or the connection broke.
        case absent
        /// It was asked and does not answer, for longer than ``TPMAddress/patience``.
        case silent
        /// The process may not open the device.
        case noRights
        /// Nobody started the TPM since its power came on.
        case notStarted
        /// It works for others, or asks to be asked again.
        case busy
        /// It has no resource manager, and somebody else keeps the turn at it.
        case turnTaken
        /// Its memory for objects and sessions is taken.
        case memoryFull
        /// Its non-volatile memory is taken.
        case storageFull
        /// Too many wrong authorisations of anybody: it refuses all objects that count them, for a while.
        case lockout
        /// The state was made by another TPM, or this one was cleared since.
        case anotherTPM
        /// The state is an old copy, or what it stands for was erased.
        case erased
        /// A wrong authorisation value.
        case wrongAuthorization
        /// An authorisation that the TPM does not look at (any more): the limit of tries is reached.
        case authorizationBlocked
        /// The owner of the TPM has a password, which Pavise does not know.
        case ownerAuthorization
        /// The endorsement hierarchy of the TPM has a password, which Pavise does not know.
        case endorsementAuthorization
        /// A policy does not hold.
        case policy
        /// A point that is not on the curve.
        case point
        /// A handle that the TPM does not know (any more).
        case unknownHandle
        /// An index that is defined already.
        case alreadyDefined
        /// The TPM failed its self test.
        case selfTest
        /// A command or curve that the TPM does not have.
        case unsupported
        /// Anything else.
        case other
    }

    /// What the refusal means.
    package let kind: Kind
    /// The code, as the stack gives it (TPM 2.0 part 2, §6.6, and TSS 2.0 overview, §3.5); 0 when there was none.
    package let code: UInt32

    /// A refusal that no code stands for.
    package init(_ kind: Kind) {
        self.kind = kind
        code = 0
    }

    /// Reads the code of a failed call.
    package init(code: UInt32) {
        self.code = code
        kind = Self.kind(code)
    }

    /// The same code with a meaning that only the caller knows.
    func meaning(_ kind: Kind) -> TPMFailure { TPMFailure(kind: kind, code: code) }

    private init(kind: Kind, code: UInt32) {
        self.kind = kind
        self.code = code
    }

    /// Whether a connection that was kept may be the cause, so that a fresh one is worth a try.
    var mayBeStale: Bool { [.absent, .unknownHandle, .notStarted].contains(kind) }

    // Layers 0 (TPM), 11 and 12 (a resource manager that speaks for it) have the TPM's own codes; 10 is the transport.
    private static func kind(_ code: UInt32) -> Kind {
        switch code >> 16 & 0xff {
        case 0, 11, 12: code & 0x80 != 0 ? ofFormatOne(code & 0x3f) : ofFormatZero(code & 0xfff)
        // Past the stack's own codes: PAVISE_TPM_SILENT.
        case 10: code & 0xffff == 0xf00 ? .silent : .absent
        default: .other
        }
    }

    private static func ofFormatOne(_ number: UInt32) -> Kind {
        switch number {
        case 0x02, 0x0a, 0x26: .unsupported
        case 0x0b: .unknownHandle
        case 0x0e, 0x22: .wrongAuthorization
        case 0x1d: .policy
        case 0x1f: .anotherTPM
        case 0x27: .point
        default: .other
        }
    }

    private static func ofFormatZero(_ number: UInt32) -> Kind {
        switch number {
        case 0x100: .notStarted
        case 0x101: .selfTest
        case 0x120, 0x143: .unsupported
        case 0x126: .policy
        case 0x12f: .authorizationBlocked
        case 0x14b: .storageFull
        case 0x14c: .alreadyDefined
        case 0x901...0x906: .memoryFull
        case 0x910...0x91e: .unknownHandle
        case 0x921: .lockout
        case 0x908...0x90a, 0x920, 0x922, 0x923: .busy
        default: .other
        }
    }
}
