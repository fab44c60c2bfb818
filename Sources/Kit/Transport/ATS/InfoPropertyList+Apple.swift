#if canImport(Darwin)
internal import Foundation

extension InfoPropertyList {
    /// The property list of the app's bundle, or the one that is linked into a program without a bundle.
    static func ofBundle() throws(ATSReadingFailure) -> [UInt8]? {
        guard let list = Bundle.main.infoDictionary, !list.isEmpty else { return nil }
        do {
            return [UInt8](try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        } catch {
            throw ATSReadingFailure(description: "The Info.plist of this app cannot be read.")
        }
    }
}
#endif
