internal import PavisePrimitives

/// The Info.plist of the running program: on Apple's systems that of its bundle, on Linux where Foundation looks for
/// one.
///
/// ```swift
/// let bytes = try InfoPropertyList.ofThisProgram() ?? []
/// let configuration = bytes.isEmpty ? .strict : try ATSConfiguration(infoPlist: bytes)
/// ```
public enum InfoPropertyList {
    /// The greatest file that is read, in bytes: 8 MiB.
    public static let limit = 8 << 20

    /// Its bytes, for ``ATSConfiguration/init(infoPlist:)`` and ``PinnedDomains/init(infoPlist:)``; `nil` when there is
    /// none.
    ///
    /// On Linux it is looked for beside the program, in this order: `NAME.resources/Info.plist`, `Info.plist`, and
    /// `../share/NAME.resources/Info.plist`. Blocks while the disk is read.
    ///
    /// - Throws: ``ATSReadingFailure`` when one is there and cannot be read. A program must not go on without it: it
    ///   would run by other rules than its own.
    public static func ofThisProgram() throws(ATSReadingFailure) -> [UInt8]? {
        #if canImport(Darwin)
        return try ofBundle()
        #else
        return try find(for: CurrentExecutable.path)
        #endif
    }

    /// The same for the program at `path`; `nil` where the system does not say where it is.
    package static func find(for path: String?) throws(ATSReadingFailure) -> [UInt8]? {
        guard let path else {
            throw ATSReadingFailure(
                description: "Where this program lies cannot be read (/proc/self/exe), and so its Info.plist cannot.")
        }
        for place in CurrentExecutable.propertyLists(for: path) {
            do throws(SystemFailure) {
                if let bytes = try InputFile.readIfPresent(place, limit: limit) { return bytes }
            } catch {
                throw ATSReadingFailure(description: "\(place) cannot be read: error \(error.code).")
            }
        }
        return nil
    }
}
