internal import SwiftSyntax

/// Apple's APIs that need a reason in the privacy manifest, and the reasons that exist (documentation, November 2026).
package enum PrivacyReasons {
    private static let prefix = "NSPrivacyAccessedAPICategory"

    package static let category: [String: String] = [
        "UserDefaults": prefix + "UserDefaults", "AppStorage": prefix + "UserDefaults",
        "creationDateKey": prefix + "FileTimestamp", "contentModificationDateKey": prefix + "FileTimestamp",
        "modificationDate": prefix + "FileTimestamp", "fileModificationDate": prefix + "FileTimestamp",
        "getattrlist": prefix + "FileTimestamp", "fstat": prefix + "FileTimestamp", "lstat": prefix + "FileTimestamp",
        "fstatat": prefix + "FileTimestamp", "getattrlistat": prefix + "FileTimestamp",
        "fgetattrlist": prefix + "FileTimestamp", "getattrlistbulk": prefix + "FileTimestamp",
        "systemUptime": prefix + "SystemBootTime", "mach_absolute_time": prefix + "SystemBootTime",
        "volumeAvailableCapacityKey": prefix + "DiskSpace",
        "volumeAvailableCapacityForImportantUsageKey": prefix + "DiskSpace",
        "volumeAvailableCapacityForOpportunisticUsageKey": prefix + "DiskSpace",
        "volumeTotalCapacityKey": prefix + "DiskSpace", "systemFreeSize": prefix + "DiskSpace",
        "systemSize": prefix + "DiskSpace", "statfs": prefix + "DiskSpace", "statvfs": prefix + "DiskSpace",
        "fstatfs": prefix + "DiskSpace", "fstatvfs": prefix + "DiskSpace",
        "activeInputModes": prefix + "ActiveKeyboards",
        // What the rules about absent mechanisms ask for.
        "URLSession": "has:network", "NWConnection": "has:network",
        "SecTrustCopyKey": "has:pin", "SecTrustCopyPublicKey": "has:pin", "SecCertificateCopyKey": "has:pin",
        "TrustKit": "has:pin", "PinnedCertificatesTrustEvaluator": "has:pin", "PublicKeysTrustEvaluator": "has:pin",
        "PinSet": "has:pin", "kSecTrustPinned": "has:pin",
        "UIViewController": "has:screen", "WindowGroup": "has:screen",
        "scenePhase": "has:cover", "willResignActiveNotification": "has:cover",
        "applicationWillResignActive": "has:cover", "sceneWillResignActive": "has:cover",
        "didEnterBackgroundNotification": "has:cover", "applicationDidEnterBackground": "has:cover",
        "sceneDidEnterBackground": "has:cover", "didEnterBackground": "has:cover", "AppLifecycle": "has:cover",
        "DCAppAttestService": "has:integrity", "DCDevice": "has:integrity", "P_TRACED": "has:integrity",
        "ptrace": "has:integrity", "isJailbroken": "has:integrity", "isJailBroken": "has:integrity",
        "PaviseIntegrity": "has:integrity", "IntegrityCheck": "has:integrity",
        "shouldAllowExtensionPointIdentifier": "has:keyboards",
        "evaluatePolicy": "has:biometry", "evaluatedPolicyDomainState": "has:enrolment",
        "biometryCurrentSet": "has:enrolment", "touchIDCurrentSet": "has:enrolment",
        "encryptionKey": "has:storekey", "usePassphrase": "has:storekey", "sqlite3_key": "has:storekey",
        "sqlite3_key_v2": "has:storekey", "SQLCipher": "has:storekey", "setKey": "has:storekey",
        "applicationSupportDirectory": "has:files", "documentDirectory": "has:files", "documentsDirectory": "has:files",
        "isExcludedFromBackup": "has:backup", "isExcludedFromBackupKey": "has:backup",
    ]

    /// Attributes of files whose names other things have too.
    static let attributes: Set = ["modificationDate", "systemSize", "systemFreeSize"]

    static let reasons: [String: Set<String>] = [
        prefix + "UserDefaults": ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"],
        prefix + "FileTimestamp": ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
        prefix + "SystemBootTime": ["35F9.1", "8FFB.1", "3D61.1"],
        prefix + "DiskSpace": ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
        prefix + "ActiveKeyboards": ["3EC4.1", "54BD.1"],
    ]

    /// The first place of each category that the code names, for sources that ``SourceVocabulary`` does not read.
    static func uses(_ tree: SourceFileSyntax) -> [String: Int] {
        var result: [String: Int] = [:]
        for token in tree.tokens(viewMode: .sourceAccurate) {
            guard case .identifier(let name) = token.tokenKind, let found = category[name], result[found] == nil else {
                continue
            }
            result[found] = token.positionAfterSkippingLeadingTrivia.utf8Offset
        }
        return result
    }
}
