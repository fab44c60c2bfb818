import DiaryCore
import Foundation
import Toolkit

// Memory holds secrets: a crash report of the runtime would print it. The desktop file sets SWIFT_BACKTRACE=enable=no.
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
