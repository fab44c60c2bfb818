internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// Where a TPM 2.0 is reached, as tpm2-tss writes it: `device:/dev/tpmrm0`, or `swtpm:host=127.0.0.1,port=2321`.
package struct TPMAddress: Hashable, Sendable {
    /// The whole address.
    package let text: String
    /// Whether there is no resource manager: one set of objects and sessions for everybody, kept when a connection
    /// forgot to flush them. The kernel's resource manager gives each connection its own and cleans up.
    package let isExclusive: Bool
    /// How long connecting, and each answer, may take. The slowest command of Pavise takes a slow TPM some seconds.
    package var patience = Duration.seconds(30)

    // The transports that reach a TPM. Any other word would make the stack load a library by that name.
    private static let transports: Set<Substring> = ["device", "swtpm", "mssim", "tabrmd"]

    /// Reads an address; `nil` for a transport that is none of `device`, `swtpm`, `mssim`, `tabrmd`, for characters
    /// that are not printable ASCII, and beyond 256 bytes.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let transport = parts.first, Self.transports.contains(transport), text.utf8.count <= 256,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        self.text = text
        isExclusive = !(transport == "tabrmd" || text.hasPrefix("device:/dev/tpmrm"))
    }

    /// The device of the machine's own TPM, behind the kernel's resource manager.
    package static let machine = "/dev/tpmrm0"

    /// What a search for the machine's TPM found.
    package enum Search: Hashable, Sendable {
        /// One that may be used, as far as can be said without using it.
        case address(TPMAddress)
        /// None, or `PAVISE_TPM` is `none`.
        case none
        /// The machine's own, which this user may not use; the group that may.
        case notPermitted(device: String, group: String?)

        /// What it means for the choice of an element.
        package var availability: ElementAvailability {
            switch self {
            case .address: .usable
            case .none: .absent
            case .notPermitted(let device, let group): .notPermitted(device: device, group: group)
            }
        }
    }

    /// The TPM that `PAVISE_TPM` names, else the machine's own.
    ///
    /// - Throws: ``TPMFailure`` of kind `address` when `PAVISE_TPM` is no address: a wrong wish is not a wish for less.
    package static func find(
        named: String? = PaviseHome.variable("PAVISE_TPM"), machine: String = machine
    ) throws(TPMFailure) -> Search {
        if let named {
            if named == "none" { return .none }
            guard let address = TPMAddress(named) else { throw TPMFailure(.address) }
            return .address(address)
        }
        switch DurableFile.presence(of: machine) {
        case .absent: return .none
        case .unknown: return .notPermitted(device: machine, group: nil)
        case .present(let facts):
            guard let address = TPMAddress("device:" + machine) else { throw TPMFailure(.address) }
            return mayUse(machine) ? .address(address) : .notPermitted(device: machine, group: facts.sharedGroupName)
        }
    }

    /// The path of a device; `nil` for other transports.
    package var device: String? { text.hasPrefix("device:") ? String(text.dropFirst(7)) : nil }

    /// Whether this process may read and write `path`.
    static func mayUse(_ path: String) -> Bool { unsafe access(path, R_OK | W_OK) == 0 }
}
