#if canImport(Darwin)
internal import Darwin
package import Foundation

/// A body as a stream that a URLSession reads.
///
/// https://developer.apple.com/documentation/foundation/stream (getBoundStreams) — written against the
/// documentation, never run on an Apple system.
package enum BodyPipe {
    /// The most bytes that wait in a stream: 256 KiB.
    package static let room = 256 << 10

    /// The end that is read. A thread of its own fills the other one, until all is there or nobody wants it.
    ///
    /// - Returns: `nil` when the system gives no streams or no thread.
    package static func stream(of body: any PumpedBody) -> InputStream? {
        var (input, output): (InputStream?, OutputStream?)
        unsafe Stream.getBoundStreams(withBufferSize: room, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        // The thread alone touches this end from here on.
        let filled = UncheckedTransfer(output)
        do throws(SystemFailure) { try WorkerThread.start { fill(filled.value, from: body) } } catch { return nil }
        return input
    }

    // Without a run loop: the other end belongs to the session, which may let go of it without a word.
    private static func fill(_ stream: OutputStream, from body: any PumpedBody) {
        stream.open()
        defer { stream.close() }
        var pump = BodyPump(body)
        while true {
            switch pump.step(hasRoom: stream.hasSpaceAvailable) {
            case .close: return
            case .wait: usleep(2_000)
            case .write(let bytes):
                let count = unsafe bytes.withUnsafeBufferPointer { bytes in
                    guard let start = bytes.baseAddress else { return 0 }
                    return unsafe stream.write(start, maxLength: bytes.count)
                }
                pump.wrote(count)
            }
        }
    }
}
#endif
