internal import CPaviseSQLite

extension LogFile {
    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        let code = flushPendingHeader()
        guard code == SQLITE_OK else { return code }
        guard offset >= LogPosition.headerCount else { return unsafe readHeader(target, at: offset) }
        let within = Int((offset - Int64(LogPosition.headerCount)) % Int64(Self.frameCount))
        guard within + target.count <= Self.frameCount else { return ResultCode.read }
        let frame = UInt32(truncatingIfNeeded: (offset - Int64(LogPosition.headerCount)) / Int64(Self.frameCount) + 1)
        if within == 0, target.count == Self.frameCount { return unsafe readWhole(frame, into: target) }
        let opened = openFrame(frame)
        guard opened == SQLITE_OK else { return opened == ResultCode.shortRead ? ResultCode.damaged : opened }
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(plain[within..<within + target.count]))
        plain.wipe()
        return SQLITE_OK
    }

    /// Opens `frame` into `plain`.
    ///
    /// - Returns: ``ResultCode/damaged`` when it is not authentic, ``ResultCode/shortRead`` beyond the end.
    func openFrame(_ frame: UInt32) -> Int32 {
        if position == nil {
            let code = refresh()
            guard code == SQLITE_OK else { return code }
        }
        let code = openFrameAsSeen(frame)
        guard code == ResultCode.damaged else { return code }
        // Another process may have restarted the log since; then the key is another one.
        let log = position?.log
        let refreshed = refresh()
        guard refreshed == SQLITE_OK else { return refreshed }
        return position?.log == log ? code : openFrameAsSeen(frame)
    }

    private func openFrameAsSeen(_ frame: UInt32) -> Int32 {
        guard !main.gate.isShut else { return ResultCode.locked }
        guard let position else { return ResultCode.damaged }
        let code = unsafe raw.read(sealed.bytes, at: Self.offset(of: frame))
        guard code == SQLITE_OK else { return code }
        let content = unsafe UnsafeRawBufferPointer(sealed[PageEncryption.sealCount..<Self.sealedFrameCount])
        let seal = unsafe UnsafeRawBufferPointer(sealed[0..<PageEncryption.sealCount])
        let authentic = unsafe cipher.open(
            content, seal: seal, into: plain.bytes, .log(position.log), .frame, UInt64(frame))
        return authentic ? SQLITE_OK : ResultCode.damaged
    }

    /// Where a sealed frame lies on the disk. Frames count from 1.
    static func offset(of frame: UInt32) -> Int64 { headCount + Int64(frame - 1) * Int64(sealedFrameCount) }

    private func readHeader(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        let start = Int(offset)
        guard start >= 0, start + target.count <= LogPosition.headerCount else { return ResultCode.read }
        let code = refresh()
        guard code == SQLITE_OK else { return code }
        guard let position, !position.header.isEmpty else {
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            return ResultCode.shortRead
        }
        unsafe target.copyBytes(from: position.header[start..<start + target.count])
        return SQLITE_OK
    }

    /// Reads header and page of `frame`, as SQLite does when it rebuilds its index.
    ///
    /// A frame that is not authentic is damage where it is known to be on the disk. Elsewhere it is what a crash left
    /// behind the last commit, or a frame of an older generation: zeros, which are no valid frame, end the log.
    private func readWhole(_ frame: UInt32, into target: UnsafeMutableRawBufferPointer) -> Int32 {
        let code = openFrame(frame)
        let durable = position?.frames ?? 0
        guard code == SQLITE_OK else {
            guard code == ResultCode.damaged || code == ResultCode.shortRead else { return code }
            guard frame > max(durable, writtenFrames) else { return ResultCode.damaged }
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            return SQLITE_OK
        }
        if frame == durable, unsafe !plain[16..<24].elementsEqual(position?.tail ?? []) { return ResultCode.damaged }
        if frame == 1 { rebuild = (1, durable) }
        if let rebuild { self.rebuild = (max(rebuild.reached, frame), rebuild.expected) }
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(plain.bytes))
        plain.wipe()
        return SQLITE_OK
    }
}
