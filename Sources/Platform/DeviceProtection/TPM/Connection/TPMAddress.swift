internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#endif

/// Where a TPM 2.0 is reached, as tpm2-tss writes it: `device:/dev/tpmrm0`, or `swtpm:host=127.0.0.1,port=2321`.
package struct TPMAddress: Hashable, Sendable {
    /// The whole address.
    package let text: String
    /// Whether there is no resource manager: one set of objects and sessions for everybody, kept when a connection forgot
    /// to flush them. The kernel's resource manager gives each connection its own and cleans up.
    package let isExclusive: Bool
    /// How long connecting, and each answer, may take. The slowest command of Pavise takes a slow TPM some seconds.
    package var patience = Duration.seconds(30)

    // The transports that reach a TPM. Any other word would make the stack load a library by that name.
    private static let transports: Set<Substring> = ["device", "swtpm", "mssim", "tabrmd"]

    /// Reads an address; `nil` for a transport that is none of `device`, `swtpm`, `mssim`, `tabrmd`, for characters that
    /// are not printable ASCII, and beyond 256 bytes.
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

    /// The TPM that `PAVISE_TPM` names, else the machine's own where this process may use it; `nil` when there is none, or
    /// when `PAVISE_TPM` is `none`.
    ///
    /// - Throws: ``TPMFailure`` of kind `address` when `PAVISE_TPM` is no address: a wrong wish is not a wish for less.
    package static func current() throws(TPMFailure) -> TPMAddress? {
        if let named = PaviseHome.variable("PAVISE_TPM") {
            if named == "none" { return nil }
            guard let address = TPMAddress(named) else { throw TPMFailure(.address) }
            return address
        }
        return mayUse(machine) ? TPMAddress("device:" + machine) : nil
    }

    /// The path of a device; `nil` for other transports.
    package var device: String? { text.hasPrefix("device:") ? String(text.dropFirst(7)) : nil }

    /// Whether this process may read and write `path`.
    static func mayUse(_ path: String) -> Bool { unsafe access(path, R_OK | W_OK) == 0 }
}
