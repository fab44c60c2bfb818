internal import Foundation
internal import Synchronization

// SwiftPM renames `main`, so libFuzzer's own entry does not link; its driver does.
@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Gives libFuzzer's inputs to a target.
enum Driver {
    // A C function captures nothing, so the target that it runs stands here.
    private static let chosen = Mutex<FuzzTarget?>(nil)

    /// Runs until the time is up or an input breaks something, on a stack as deep as a worker's. The second argument, the
    /// target's name, is taken out.
    static func run(_ target: FuzzTarget) -> Never {
        chosen.withLock { $0 = target }
        let thread = Thread {
            var count = CommandLine.argc - 1
            var arguments = unsafe CommandLine.unsafeArgv + 1
            unsafe arguments[0] = unsafe CommandLine.unsafeArgv[0]
            exit(
                unsafe drive(&count, &arguments) { start, count in
                    let bytes = unsafe Data(UnsafeBufferPointer(start: start, count: count))
                    Driver.chosen.withLock { $0 }?.run(bytes)
                    return 0
                })
        }
        thread.stackSize = 512 << 20
        thread.start()
        while true { sleep(1_000) }
    }
}

/// Stops the program when a property of a parser does not hold; libFuzzer keeps the input.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { fatalError(property()) }
}
