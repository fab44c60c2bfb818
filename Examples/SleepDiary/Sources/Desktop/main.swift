import DiaryCore
import Foundation
import PavisePrimitives
import Toolkit

// Before anything is read: freed memory is overwritten, and no core file, tracer or crash report has what is in use.
// The order counts: to begin anew undoes what is forbidden.
beginAnew()
do throws(SystemFailure) { try MemoryProtection.start() } catch {
    print("The memory of this program cannot be protected: \(error)")
    exit(1)
}

#if DEBUG
if CommandLine.arguments.dropFirst().first == "--sample" {
    await Sample.fill()
} else {
    runDiary()
}
#else
runDiary()
#endif

@MainActor
func runDiary() {
    let application = Application(DiarySecurity.identifier)
    let shell = Shell(application)
    let status = application.run { shell.activate() }
    exit(status)
}
