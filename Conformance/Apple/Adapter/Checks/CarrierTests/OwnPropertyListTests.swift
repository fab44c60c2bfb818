import AppleFoundation
import Testing

@testable import PaviseTransport

/// The Info.plist of the program that runs: tests have no bundle with one.
@Suite struct OwnPropertyListTests {
    private static var rules: [String: Any] {
        let pin = ["SPKI-SHA256-BASE64": "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="]
        let entry = ["NSPinnedCAIdentities": [pin]]
        return ["NSAllowsLocalNetworking": true, "NSPinnedDomains": ["pinned.example": entry]]
    }

    @Test func `a program without an Info_plist has none, and that is no failure`() throws {
        #expect(try InfoPropertyList.ofBundle() == nil)
    }

    @Test func `what Core Foundation adds about the file's place stops no rule from being read`() throws {
        let folder = URL(fileURLWithPath: "/Applications/Own.app/Contents/")
        let list: [String: Any] = [
            "CFBundleInfoPlistURL": try #require(URL(string: "Info.plist", relativeTo: folder)),
            "CFBundleNumericVersion": 16_809_984, "CFBundleIdentifier": "org.example.own",
            "NSAppTransportSecurity": Self.rules,
        ]
        let bytes = try InfoPropertyList.bytes(of: list)
        #expect(try ATSConfiguration(infoPlist: bytes).localNetworking == true)
        let found = try PinnedDomains(infoPlist: bytes).disagreements(with: [])
        #expect(found.map(\.host) == ["pinned.example"])
    }

    @Test func `an extension is known by its keys, whose home says nothing of the app's`() {
        let point = ["NSExtensionPointIdentifier": "com.apple.share-services"]
        #expect(InfoPropertyList.isOfExtension(["NSExtension": point]))
        #expect(InfoPropertyList.isOfExtension(["EXAppExtensionAttributes": [:] as [String: Any]]))
        #expect(!InfoPropertyList.isOfExtension(["CFBundleIdentifier": "org.example.own"]))
    }

    @Test func `a rule that no property list can hold is an error, and is not left out`() {
        let list: [String: Any] = ["NSAppTransportSecurity": ["NSPinnedDomains": NSNull()]]
        #expect(throws: ATSReadingFailure.self) { try InfoPropertyList.bytes(of: list) }
    }
}
