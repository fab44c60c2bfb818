import Foundation
import PaviseNetworking
import Testing

/// Foundation's names for protected files, which Foundation on Linux has not.
@Suite struct FileProtectionNoticeTests {
    @Test func `the options have the numbers that Apple gave them`() {
        let options: any ProtectingOptions = Noticed()
        #expect(options.all == [0x2000_0000, 0x3000_0000, 0x4000_0000])
    }
}

private protocol ProtectingOptions {
    var all: [UInt] { get }
}

// Whoever names them is warned; through the protocol nobody is.
private struct Noticed: ProtectingOptions {
    @available(*, deprecated)
    var all: [UInt] {
        [
            NSData.WritingOptions.completeFileProtection.rawValue,
            NSData.WritingOptions.completeFileProtectionUnlessOpen.rawValue,
            NSData.WritingOptions.completeFileProtectionUntilFirstUserAuthentication.rawValue,
        ]
    }
}
