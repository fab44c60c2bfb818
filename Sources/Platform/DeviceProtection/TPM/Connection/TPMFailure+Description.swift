extension TPMFailure {
    /// One sentence or two for a person, with the next step.
    package var explanation: String {
        switch kind {
        case .address:
            """
            PAVISE_TPM is no address of a TPM. Write it like “device:/dev/tpmrm0” or “swtpm:host=127.0.0.1,port=2321”, \
            or “none”.
            """
        case .absent:
            """
            The TPM does not answer\(hint). Check that it is there (PAVISE_TPM, \(TPMAddress.machine)), then try again.
            """
        case .silent:
            """
            The TPM did not answer in time\(hint). Restart the machine, or the emulator; if that does not help, the \
            chip is broken.
            """
        case .noRights: "This user may not use the TPM. Add the user to the group “tss” and log in again."
        case .notStarted: "The TPM was not started\(hint). Restart the machine, or the emulator."
        case .busy: "The TPM is busy\(hint). Try again in a moment."
        case .turnTaken:
            """
            Another user, or a program that is not Pavise, keeps the turn at this TPM, which has no resource manager: \
            nobody else gets to it. Use one with a resource manager (\(TPMAddress.machine), tabrmd), or end that \
            program (“ss -xlp” shows who has @pavise-tpm-…).
            """
        case .memoryFull:
            """
            The TPM has no room for one more key or session\(hint): another program keeps some. End it, or use \
            \(TPMAddress.machine).
            """
        case .storageFull:
            "The TPM's own storage is full\(hint). Remove indices that nobody needs (tpm2_getcap handles-nv-index)."
        case .lockout:
            """
            The TPM refuses authorisations for a while, because there were too many wrong ones\(hint). Wait, then try \
            again.
            """
        case .anotherTPM:
            """
            This was made with another TPM, or the TPM was cleared since\(hint). Only the one that made it can open it.
            """
        case .erased: "This device was erased, or this is an old copy of it. Nothing can open it any more."
        case .wrongAuthorization: "The TPM refused an authorisation\(hint). The files of this home do not fit together."
        case .authorizationBlocked:
            "The TPM does not look at this authorisation any more\(hint): its limit of tries is reached."
        case .ownerAuthorization:
            """
            The owner of this TPM has a password, and Pavise needs one without\(hint). Clear it (tpm2_changeauth -c \
            owner).
            """
        case .endorsementAuthorization:
            "The endorsement hierarchy of this TPM has a password, and attestation needs one without\(hint). "
                + "Clear it (tpm2_changeauth -c endorsement)."
        case .policy: "The TPM's policy does not allow this\(hint). The files of this home do not fit its state."
        case .point: "The TPM refused a point that is not on the curve."
        case .unknownHandle: "The TPM does not know a handle\(hint). It was probably restarted; try again."
        case .alreadyDefined: "An index of the TPM is taken already\(hint). Try again."
        case .selfTest:
            "The TPM failed its self test\(hint). Restart the machine; if that does not help, the chip is broken."
        case .unsupported:
            "The TPM lacks something that Pavise needs\(hint): a TPM 2.0 with P-256 and PIN indices is needed."
        case .other: "The TPM refused\(hint)."
        }
    }

    private var hint: String { code == 0 ? "" : " (0x\(String(code, radix: 16)))" }
}
