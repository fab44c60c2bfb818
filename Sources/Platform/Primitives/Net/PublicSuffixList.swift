internal import CPavisePlatform

/// The Public Suffix List (publicsuffix.org), its first section alone, as libpsl reads it.
///
/// The second section holds names of companies that give names to others. Certificates with a wildcard right above one
/// of these (`*.github.io`) are in wide use, and Apple's systems take them.
@safe package final class PublicSuffixList {
    private let list: UnsafeMutableRawPointer

    /// The machine's own list or the one within libpsl, whichever is newer; `nil` when libpsl is not there.
    package convenience init?() { unsafe self.init(opened: pavise_suffixes_open(nil)) }

    /// Reads a list's text; `nil` for a file that is none, and when libpsl is not there.
    package convenience init?(file: String) { unsafe self.init(opened: pavise_suffixes_open(file)) }

    private init?(opened list: UnsafeMutableRawPointer?) {
        guard let list = unsafe list else { return nil }
        unsafe self.list = unsafe list
    }

    deinit { unsafe pavise_suffixes_close(list) }

    /// What reads the list, for example `libpsl 0.21.2`.
    package var reader: String { "libpsl \(unsafe String(cString: pavise_suffixes_version()))" }

    /// Whether the labels together, in lower case, are a public suffix. A single label is always one.
    package func contains(_ labels: ArraySlice<String>) -> Bool {
        unsafe pavise_suffixes_contain(list, labels.joined(separator: ".")) == 1
    }
}

// Safe to share: a list that is open is only read.
extension PublicSuffixList: @unchecked Sendable {}
