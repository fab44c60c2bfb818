internal import CPaviseOpenSSL
internal import PavisePrimitives

/// A filter between TLS and the socket that lets nothing out as long as somebody is asked about the server, and never
/// again when the answer was no.
///
/// OpenSSL's own way to wait in the middle of a handshake (SSL_set_retry_verify) stops at the certificate, before the
/// status answer of TLS 1.2 and before the server has shown that it has the key. Here the client reads the server's
/// whole first flight and stands still before its own answer, which brings a client certificate and its last handshake
/// message.
enum WriteGate {
    /// Puts the gate in front of the socket of `ssl`; a gate that is there already stays.
    static func install(on ssl: OpaquePointer, for connection: JudgedConnection) -> Bool {
        guard let below = unsafe SSL_get_wbio(ssl) else { return false }
        if unsafe BIO_method_type(below) == number { return true }
        guard let method = unsafe method, let gate = unsafe BIO_new(method) else { return false }
        unsafe BIO_set_data(gate, Unmanaged.passRetained(connection).toOpaque())
        unsafe BIO_set_init(gate, 1)
        // SSL_set0_wbio gives the present one back: the gate keeps it.
        _ = unsafe BIO_up_ref(below)
        _ = unsafe BIO_push(gate, below)
        unsafe SSL_set0_wbio(ssl, gate)
        return true
    }

    private static let number = BIO_get_new_index() | BIO_TYPE_FILTER

    // Safe to share: made once before the first use and never changed.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        guard let method = unsafe BIO_meth_new(number, "pavise write gate") else { return nil }
        let isSet = unsafe [
            BIO_meth_set_write(method, write), BIO_meth_set_read(method, read), BIO_meth_set_ctrl(method, control),
            BIO_meth_set_destroy(method, destroy),
        ]
        return isSet.allSatisfy { $0 == 1 } ? unsafe method : nil
    }()
}

private func connection(_ gate: OpaquePointer) -> JudgedConnection? {
    unsafe BIO_get_data(gate).map { unsafe Unmanaged<JudgedConnection>.fromOpaque($0).takeUnretainedValue() }
}

// "Try again when you can write" while it waits: whoever reports that the socket is writable asks again.
private let write: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = { gate, bytes, count in
    guard let gate = unsafe gate, let below = unsafe BIO_next(gate) else { return -1 }
    unsafe BIO_clear_flags(gate, retryFlags)
    switch unsafe connection(gate)?.passage() ?? .closed {
    case .open:
        let written = unsafe BIO_write(below, bytes, count)
        unsafe BIO_copy_next_retry(gate)
        return written
    case .waiting:
        unsafe BIO_set_flags(gate, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        return -1
    case .closed: return -1
    }
}

private let read: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32 = {
    gate, bytes, count in
    guard let gate = unsafe gate, let below = unsafe BIO_next(gate) else { return -1 }
    unsafe BIO_clear_flags(gate, retryFlags)
    let found = unsafe BIO_read(below, bytes, count)
    unsafe BIO_copy_next_retry(gate)
    return found
}

private let control: @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
    gate, command, number, pointer in
    guard let gate = unsafe gate, let below = unsafe BIO_next(gate) else { return 0 }
    unsafe BIO_clear_flags(gate, retryFlags)
    let answer = unsafe BIO_ctrl(below, command, number, pointer)
    unsafe BIO_copy_next_retry(gate)
    return answer
}

private let destroy: @convention(c) (OpaquePointer?) -> Int32 = { gate in
    guard let gate = unsafe gate else { return 0 }
    if let pointer = unsafe BIO_get_data(gate) { unsafe Unmanaged<JudgedConnection>.fromOpaque(pointer).release() }
    unsafe BIO_set_data(gate, nil)
    return 1
}

private let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY
