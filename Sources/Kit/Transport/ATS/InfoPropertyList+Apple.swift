#if canImport(Darwin)
internal import Foundation

extension InfoPropertyList {
    /// The property list of the app's bundle, or the one that is linked into a program without a bundle.
    static func ofBundle() throws(ATSReadingFailure) -> [UInt8]? {
        guard let list = Bundle.main.infoDictionary, !list.isEmpty else { return nil }
        return try bytes(of: list)
    }

    /// Whether this program is an extension of an app.
    package static var isOfExtension: Bool { isOfExtension(Bundle.main.infoDictionary ?? [:]) }

    /// By the key that each of the two kinds of extensions has.
    static func isOfExtension(_ list: [String: Any]) -> Bool {
        list["NSExtension"] != nil || list["EXAppExtensionAttributes"] != nil
    }

    /// The bytes of a bundle's dictionary. Core Foundation adds to what was in the file where it lay
    /// (`CFBundleInfoPlistURL`, CFBundle_InfoPlist.c), and no property list can hold an address.
    static func bytes(of list: [String: Any]) throws(ATSReadingFailure) -> [UInt8] {
        let written = list.filter { !($0.value is URL) }
        do {
            return [UInt8](try PropertyListSerialization.data(fromPropertyList: written, format: .binary, options: 0))
        } catch {
            throw ATSReadingFailure(description: "The Info.plist of this app cannot be read.")
        }
    }
}
#endif
