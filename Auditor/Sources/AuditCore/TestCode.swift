/// Which files are tests, what stands in for something in them, or previews, by their places below the audited folder.
enum TestCode {
    private static let folders: Set = [
        "Tests", "tests", "test", "UITests", "Mocks", "mocks", "Mock", "__tests__", "__mocks__", "Fixtures", "fixtures",
        "Preview Content", "PreviewContent", "Previews", "Preview", "androidTest", "TestData", "testdata",
        "Specs", "specs",
    ]
    private static let endings = [
        "+mock.swift", "Mock.swift", "Mocks.swift", "Tests.swift", "+Mock.swift", "Spec.swift",
        "-demo.swift", "-example.swift", "-sample.swift",
    ]

    static func isPlace(_ file: String) -> Bool {
        let parts = file.split(separator: "/")
        if let name = parts.last, endings.contains(where: name.hasSuffix) { return true }
        return parts.dropLast().contains {
            folders.contains(String($0)) || $0.hasSuffix("Tests") || $0.hasSuffix("Mocks") || $0.hasSuffix("Testing")
                || $0.hasSuffix(".playground") || $0.hasSuffix("MockData") || $0.hasSuffix("TestUtilities")
                || $0.hasSuffix("TestUtils") || $0.hasSuffix("TestHelpers") || $0.hasSuffix("TestSupport")
                || $0.hasSuffix("Harness") || $0.hasPrefix("Stubbed") || $0 == "Stubs"
        }
    }
}
