internal import CPaviseSQLite
internal import PavisePrimitives

extension LogFile {
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        if offset == 0, bytes.count == LogPosition.headerCount { return unsafe begin(header: [UInt8](bytes)) }
        let code = readFreshView()
        guard code == SQLITE_OK else { return code }
        let behind = offset - Int64(LogPosition.headerCount)
        guard behind >= 0 else { return ResultCode.write }
        let frame = UInt32(truncatingIfNeeded: behind / Int64(Self.frameCount) + 1)
        switch (Int(behind % Int64(Self.frameCount)), bytes.count) {
        case (0, Self.frameHeaderCount): return unsafe keepHeader([UInt8](bytes), of: frame)
        case (Self.frameHeaderCount, PageFile.pageCount): return unsafe writePage(bytes, of: frame)
        default: return ResultCode.write
        }
    }

    /// Makes the frames durable, then notes how many they are.
    func sync(_ flags: Int32) -> Int32 {
        let code = flushPendingHeader()
        guard code == SQLITE_OK else { return code }
        guard let unsynced, let position else { return syncForCheckpoint(flags) }
        let committed = commit(unsynced, position, flags)
        if committed != SQLITE_OK { takeBack() }
        return committed
    }

    private func commit(_ last: (frame: UInt32, tail: [UInt8]), _ old: LogPosition, _ flags: Int32) -> Int32 {
        var code = raw.sync(flags)
        if code == SQLITE_OK { code = anchor(old, flags) }
        guard code == SQLITE_OK else { return code }
        var next = old
        next.sequence += 1
        next.frames = last.frame
        next.tail = last.tail
        // This connection holds the write lock and has read the head since: what it knows of it stays true.
        code = Self.place.write(next, to: raw, cipher, head: &seenHead)
        guard code == SQLITE_OK else { return code }
        position = next
        unsynced = nil
        return SQLITE_OK
    }

    /// Makes the frames of a commit that failed unreadable: the caller is told that it failed, and a rebuild of the
    /// index must not find it after all. On a disk that takes no write at all this cannot be, and the commit may come
    /// back.
    private func takeBack() {
        unsynced = nil
        guard var last = position else { return }
        // First the record, whose failed write may be on the disk after all: it would promise frames that are gone
        // then.
        last.sequence += 1
        if Self.place.write(last, to: raw, cipher) == SQLITE_OK { position = last }
        rememberHead()
        let nothing = [UInt8](repeating: 0, count: PageEncryption.sealCount + Self.frameHeaderCount)
        _ = unsafe nothing.withUnsafeBytes { unsafe raw.write($0, at: Self.offset(of: last.frames + 1)) }
    }

    /// SQLite only cuts the log to nothing, after everything in it has reached the database.
    func truncate(_ size: Int64) -> Int32 {
        guard size == 0 else { return ResultCode.truncate }
        var code = refresh()
        guard code == SQLITE_OK else { return code }
        let (sizeCode, bytes) = raw.size()
        if sizeCode == SQLITE_OK, bytes <= Self.headCount, position?.header.isEmpty ?? true { return SQLITE_OK }
        code = begin(header: [])
        // A record of an empty log must be there before its frames are gone.
        if code == SQLITE_OK { code = raw.sync(SQLITE_SYNC_NORMAL) }
        return code == SQLITE_OK ? raw.truncate(Self.headCount) : code
    }

    /// Completes a frame of which only the header was written again.
    func flushPendingHeader() -> Int32 {
        guard let pending = pendingHeader else { return SQLITE_OK }
        pendingHeader = nil
        let code = openFrame(pending.frame)
        guard code == SQLITE_OK else { return code == ResultCode.shortRead ? SQLITE_OK : code }
        unsafe plain.bytes.copyBytes(from: pending.bytes)
        return sealFrame(pending.frame)
    }

    /// Starts a new generation: a new name, a new key, nothing in it yet.
    private func begin(header: [UInt8]) -> Int32 {
        let code = refresh()
        guard code == SQLITE_OK else { return code }
        let (headCode, records) = FileHead.read(main.raw, cipher)
        guard headCode == SQLITE_OK, let records else { return headCode == SQLITE_OK ? ResultCode.damaged : headCode }
        guard let name = try? Entropy.kernel.bytes(LogPosition.nameCount) else { return ResultCode.write }
        var next = LogPosition()
        next.sequence = (position?.sequence ?? 0) + 1
        next.generation = max(position?.generation ?? 0, records.anchor.generation) + 1
        next.log = name
        next.previous = records.anchor.log
        next.header = header
        if position?.isUnused(since: records.anchor) == true { next.tail = LogPosition.unused }
        let written = Self.place.write(next, to: raw, cipher)
        guard written == SQLITE_OK else { return written }
        rememberHead()
        position = next
        pendingHeader = nil
        unsynced = nil
        writtenFrames = 0
        isFreshView = true
        room = 0
        return SQLITE_OK
    }

    private func readFreshView() -> Int32 {
        guard !isFreshView else { return SQLITE_OK }
        let code = refresh()
        isFreshView = code == SQLITE_OK
        return code
    }

    private func keepHeader(_ bytes: [UInt8], of frame: UInt32) -> Int32 {
        let code = flushPendingHeader()
        pendingHeader = (frame, bytes)
        return code
    }

    private func writePage(_ page: UnsafeRawBufferPointer, of frame: UInt32) -> Int32 {
        if let pending = pendingHeader, pending.frame == frame {
            pendingHeader = nil
            unsafe plain.bytes.copyBytes(from: pending.bytes)
        } else {
            // A page changed once more in one transaction: SQLite writes it over the first, and the headers later.
            var code = flushPendingHeader()
            if code == SQLITE_OK { code = openFrame(frame) }
            guard code == SQLITE_OK else { return code == ResultCode.shortRead ? ResultCode.write : code }
        }
        unsafe plain[Self.frameHeaderCount..<Self.frameCount].copyMemory(from: page)
        return sealFrame(frame)
    }

    /// Seals `plain` as `frame` and writes it in one piece.
    private func sealFrame(_ frame: UInt32) -> Int32 {
        guard let position else { return ResultCode.write }
        let tail = unsafe [UInt8](plain[16..<24])
        let sealedWell = unsafe cipher.seal(
            UnsafeRawBufferPointer(plain.bytes), into: sealed[PageEncryption.sealCount..<Self.sealedFrameCount],
            seal: sealed[0..<PageEncryption.sealCount], .log(position.log), .frame, UInt64(frame))
        plain.wipe()
        guard sealedWell else { return ResultCode.write }
        makeRoom(for: frame)
        let code = unsafe raw.write(UnsafeRawBufferPointer(sealed.bytes), at: Self.offset(of: frame))
        guard code == SQLITE_OK else {
            // SQLite rolls back: what was written before is never committed, and no later sync may promise it.
            unsynced = nil
            return code
        }
        writtenFrames = max(writtenFrames, frame)
        unsynced = (frame, tail)
        return SQLITE_OK
    }

    /// Writes zeros behind the end of the log where `frame` would make the file longer: a commit into a file that keeps
    /// its size takes half the time, since the file system has nothing of its own to make durable. Zeros are no frame
    /// and end the log.
    ///
    /// Once in a commit, before its first frame: a commit that is longer than the room makes the file longer in any
    /// case, and would write each byte twice. Not before the first commit of the log, when its head may not be on the
    /// disk yet. A disk that has no room for them may have room for the frame.
    private func makeRoom(for frame: UInt32) {
        let end = Self.offset(of: frame) + Int64(Self.sealedFrameCount)
        guard unsynced == nil, end > room, let position, position.frames > 0 else { return }
        let (code, size) = raw.size()
        guard code == SQLITE_OK, end > size else {
            room = max(room, size)
            return
        }
        // As much again as the log is long, in pieces: SQLite's layer writes less than 128 KiB at once.
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        room = size
        for _ in 0..<min(max(1, Int(clamping: size) / zeros.count), 8) {
            guard unsafe zeros.withUnsafeBytes({ unsafe raw.write($0, at: room) }) == SQLITE_OK else { break }
            room += Int64(zeros.count)
        }
        room = max(room, end)
    }

    /// Before the first commit of a generation is acknowledged, the database notes which log it belongs to.
    private func anchor(_ position: LogPosition, _ flags: Int32) -> Int32 {
        guard anchoredLog != position.log else { return SQLITE_OK }
        let (code, records) = FileHead.read(main.raw, cipher)
        guard code == SQLITE_OK, let records else { return code == SQLITE_OK ? ResultCode.damaged : code }
        guard records.anchor.log != position.log else {
            anchoredLog = position.log
            return SQLITE_OK
        }
        // The log of a new database has to be found again after a loss of power, before anything in it counts.
        if records.anchor.generation == 0 {
            let named = raw.synchroniseName(path)
            guard named == SQLITE_OK else { return named }
        }
        var next = LogPosition()
        next.sequence = records.anchor.sequence + 1
        next.generation = position.generation
        next.log = position.log
        if main.tracker != nil {
            let (tagsCode, tags) = FileHead.tags(main.raw, cipher)
            // An anchor that names no list says that there was none: the next one would begin with any page.
            guard tagsCode == SQLITE_OK else { return tagsCode }
            if let tags { next.previous = tags.log }
        }
        var written = FileHead.anchorPlace.write(next, to: main.raw, cipher)
        if written == SQLITE_OK { written = main.raw.sync(flags) }
        if written == SQLITE_OK { anchoredLog = position.log }
        return written
    }

    /// A checkpoint syncs the log before it moves anything. What is durable then is what the mark may promise.
    private func syncForCheckpoint(_ flags: Int32) -> Int32 {
        let code = refresh()
        guard code == SQLITE_OK else { return code }
        let seen = position
        let synced = raw.sync(flags)
        if synced == SQLITE_OK, let seen, seen.frames > 0 { main.dueMark = seen }
        return synced
    }
}
