/// Apple's APIs that need a reason in the privacy manifest, and the reasons that exist (documentation, November 2026).
package enum PrivacyReasons {
    private static let prefix = "NSPrivacyAccessedAPICategory"

    package static let category: [String: String] = [
        "UserDefaults": prefix + "UserDefaults", "AppStorage": prefix + "UserDefaults",
        "creationDateKey": prefix + "FileTimestamp", "contentModificationDateKey": prefix + "FileTimestamp",
        "modificationDate": prefix + "FileTimestamp", "fileModificationDate": prefix + "FileTimestamp",
        "getattrlist": prefix + "FileTimestamp", "fstat": prefix + "FileTimestamp", "lstat": prefix + "FileTimestamp",
        "systemUptime": prefix + "SystemBootTime", "mach_absolute_time": prefix + "SystemBootTime",
        "volumeAvailableCapacityKey": prefix + "DiskSpace",
        "volumeAvailableCapacityForImportantUsageKey": prefix + "DiskSpace",
        "volumeAvailableCapacityForOpportunisticUsageKey": prefix + "DiskSpace",
        "volumeTotalCapacityKey": prefix + "DiskSpace", "systemFreeSize": prefix + "DiskSpace",
        "systemSize": prefix + "DiskSpace", "statfs": prefix + "DiskSpace", "statvfs": prefix + "DiskSpace",
        "activeInputModes": prefix + "ActiveKeyboards",
    ]

    static let reasons: [String: Set<String>] = [
        prefix + "UserDefaults": ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"],
        prefix + "FileTimestamp": ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
        prefix + "SystemBootTime": ["35F9.1", "8FFB.1", "3D61.1"],
        prefix + "DiskSpace": ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
        prefix + "ActiveKeyboards": ["3EC4.1", "54BD.1"],
    ]
}
