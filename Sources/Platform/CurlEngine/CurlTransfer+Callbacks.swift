internal import CPaviseCurl
internal import Glibc
internal import PaviseCrypto
internal import PavisePrimitives

private func slot(_ user: UnsafeMutableRawPointer?) -> CurlTransfer? {
    unsafe user.map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

/// A new TLS connection: the judge goes in before the handshake begins.
let newContext: pavise_curl_ssl_function = { _, context, user in
    guard let slot = unsafe slot(user), let context = unsafe context, let profile = slot.profile,
        let connection = slot.newConnection(),
        unsafe TLSClientContext.prepare(context, profile: profile, connection: connection)
    else { return CURLE_ABORTED_BY_CALLBACK }
    return CURLE_OK
}

/// The last gate, for new and for pooled connections: a connection without an accepting verdict sends nothing.
let beforeRequest: pavise_curl_prereq_function = { user, _, _, _, _ in
    guard let slot = unsafe slot(user), let exchange = slot.exchange else { return CURL_PREREQFUNC_ABORT }
    // Where a kept connection ends before the answer begins, libcurl sends the request over another one, whatever its
    // method. The server may have done what it says (RFC 9110 §9.2.2).
    guard !slot.sent || exchange.request.isIdempotent else {
        slot.stop = .connectionLost
        return CURL_PREREQFUNC_ABORT
    }
    if slot.isHTTPS {
        guard let ssl = unsafe pavise_curl_ssl(slot.easy), let connection = unsafe TLSClientContext.connection(of: ssl),
            connection.verdict?.isAccepted == true
        else {
            slot.stop = .refused
            return CURL_PREREQFUNC_ABORT
        }
        slot.connection = connection
    }
    guard !slot.isHandshakeOnly else {
        slot.stop = .handshakeDone
        return CURL_PREREQFUNC_ABORT
    }
    guard exchange.request.mayLeave?() != false else {
        slot.stop = .cancelled
        return CURL_PREREQFUNC_ABORT
    }
    slot.sent = true
    return CURL_PREREQFUNC_OK
}

/// One line of the head, of an interim head or of the trailers.
let receiveLine: pavise_curl_data_function = { bytes, size, count, user in
    guard let slot = unsafe slot(user), let bytes = unsafe bytes else { return 0 }
    let line = unsafe UnsafeBufferPointer(start: bytes, count: size * count).withMemoryRebound(to: UInt8.self) {
        unsafe $0
    }
    return unsafe slot.take(line: line) ? size * count : 0
}

/// A piece of the body.
let receiveBody: pavise_curl_data_function = { bytes, size, count, user in
    guard let slot = unsafe slot(user), let bytes = unsafe bytes else { return 0 }
    let piece = unsafe UnsafeBufferPointer(start: bytes, count: size * count).withMemoryRebound(to: UInt8.self) {
        unsafe $0
    }
    let taken = unsafe slot.take(piece: piece)
    // The piece lies in libcurl's own buffer, which lives as long as its connection and is not looked at again.
    if slot.isAnswerSecret { unsafe Wipe.memory(bytes, count: size * count) }
    return taken
}

/// Copies the next bytes of the body into libcurl's buffer.
let sendBody: pavise_curl_data_function = { target, size, count, user in
    guard let slot = unsafe slot(user), let target = unsafe target, let request = slot.exchange?.request else {
        return 0
    }
    slot.noteActivity()
    if let secret = request.secretBody {
        let copied = unsafe slot.copy(secret, to: UnsafeMutableRawBufferPointer(start: target, count: size * count))
        slot.uploaded += copied
        return copied
    }
    guard let bytes = request.bodyBytes(at: slot.uploaded, upTo: size * count) else {
        slot.stop = .bodyUnreadable
        return Int(CURL_READFUNC_ABORT)
    }
    guard !bytes.isEmpty else { return 0 }
    unsafe UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
    slot.uploaded += bytes.count
    return bytes.count
}

/// A pooled connection turned out to be dead: the body is sent again from an earlier place.
let rewindBody: pavise_curl_seek_function = { user, offset, origin in
    guard let slot = unsafe slot(user), origin == SEEK_SET, let count = slot.exchange?.request.bodyCount,
        offset >= 0, offset <= count
    else { return CURL_SEEKFUNC_FAIL }
    slot.uploaded = Int(offset)
    return CURL_SEEKFUNC_OK
}

extension CurlTransfer {
    // Straight into libcurl's buffer, which is wiped when libcurl gives it back: nothing in between holds a copy.
    fileprivate func copy(_ secret: SharedSecretBytes, to target: UnsafeMutableRawBufferPointer) -> Int {
        secret.bytes.withBytes { bytes in
            let piece = bytes.extracting(min(uploaded, bytes.count)..<min(bytes.count, uploaded + target.count))
            for index in piece.indices { unsafe target[index] = piece[index] }
            return piece.count
        }
    }

    fileprivate func take(line: UnsafeBufferPointer<UInt8>) -> Bool {
        noteActivity()
        headBytes += line.count
        guard headBytes <= Self.headLimit else {
            stop = .headTooLarge
            return false
        }
        if isHeadDone { return true }
        let isStatusLine =
            unsafe line.count >= 5 && line[0] == 0x48 && line[1] == 0x54 && line[2] == 0x54 && line[3] == 0x50
            && line[4] == 0x2F
        if isStatusLine { head.removeAll(keepingCapacity: true) }
        let isEnd = unsafe line.count <= 2 && line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
        guard isEnd else {
            unsafe head.append(contentsOf: line)
            return true
        }
        guard status >= 200 else { return true }
        isHeadDone = true
        if case .stream(let inbox) = sink { inbox.put(head: finishedHead()) }
        return true
    }

    fileprivate func take(piece: UnsafeBufferPointer<UInt8>) -> Int {
        noteActivity()
        guard case .stream(let inbox) = sink else {
            guard body.count + piece.count <= bodyLimit else {
                stop = .bodyTooLarge
                return piece.isEmpty ? 1 : 0
            }
            // An array that grew would leave copies behind.
            if isAnswerSecret { body.reserveCapacity(bodyLimit) }
            unsafe body.append(contentsOf: piece)
            return piece.count
        }
        guard unsafe inbox.put(piece) else {
            isPaused = true
            inbox.tell()
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        loop.note(inbox)
        return piece.count
    }

    private var status: Int {
        var status = 0
        _ = unsafe pavise_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    func finishedHead() -> CurlHead {
        var version = 0
        _ = unsafe pavise_curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
        return CurlHead(
            status: status, httpMajor: version == CURL_HTTP_VERSION_2_0 ? 2 : 1, lines: head, connection: connection)
    }
}
