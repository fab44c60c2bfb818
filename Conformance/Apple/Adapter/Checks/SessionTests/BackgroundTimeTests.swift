import AppleFoundation
import Testing

@testable import PaviseSession

/// The time in which a Mac neither ends nor naps the process, over a ProcessInfo that counts. iOS' half waits on a
/// thread of the system's and is compiled only.
@Suite(.serialized) struct BackgroundTimeTests {
    @Test func `each beginning is one activity, which ends once`() {
        let before = ProcessActivities.open
        let first = BackgroundTime.begin()
        let second = BackgroundTime.begin()
        #expect(ProcessActivities.open == before + 2)
        first()
        first()
        #expect(ProcessActivities.open == before + 1)
        second()
        #expect(ProcessActivities.open == before)
    }

    @Test func `a process that refreshes does not nap, and is not ended`() {
        let end = BackgroundTime.begin()
        defer { end() }
        let wanted: ProcessInfo.ActivityOptions = [
            .userInitiatedAllowingIdleSystemSleep, .automaticTerminationDisabled, .suddenTerminationDisabled,
        ]
        #expect(ProcessActivities.last == wanted)
    }
}
