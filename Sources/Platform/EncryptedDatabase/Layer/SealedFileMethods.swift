internal import CPaviseSQLite

/// The functions that SQLite calls on an open file. They decide nothing: each finds the object and asks it, or passes
/// locks and the shared index on to the system's file.
@safe
enum SealedFileMethods {
    // Safe to share: filled once before the first use and never changed; SQLite only reads it.
    nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe table.initialize(to: sqlite3_io_methods())
        // Version 2 has the shared index and not yet memory-mapped pages, which would go around the seal.
        unsafe table.pointee.iVersion = 2
        unsafe addContent(to: &table.pointee)
        unsafe addLocks(to: &table.pointee)
        unsafe addIndex(to: &table.pointee)
        return unsafe UnsafePointer(table)
    }()

    private static func addContent(to table: inout sqlite3_io_methods) {
        unsafe table.xClose = { file in
            guard let slot = unsafe FileSlot(file) else { return SQLITE_MISUSE }
            slot.object?.close()
            slot.release()
            let lower = unsafe slot.lower
            return unsafe lower.pointee.pMethods == nil ? SQLITE_OK : lower.pointee.pMethods.pointee.xClose(lower)
        }
        unsafe table.xRead = { file, target, count, offset in
            guard let object = unsafe FileSlot(file)?.object, count >= 0 else { return SQLITE_MISUSE }
            return unsafe object.read(UnsafeMutableRawBufferPointer(start: target, count: Int(count)), at: offset)
        }
        unsafe table.xWrite = { file, bytes, count, offset in
            guard let object = unsafe FileSlot(file)?.object, count >= 0 else { return SQLITE_MISUSE }
            return unsafe object.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        unsafe table.xTruncate = { file, size in unsafe FileSlot(file)?.object?.truncate(size) ?? SQLITE_MISUSE }
        unsafe table.xSync = { file, flags in unsafe FileSlot(file)?.object?.sync(flags) ?? SQLITE_MISUSE }
        unsafe table.xFileSize = { file, size in
            guard let answer = unsafe FileSlot(file)?.object?.size() else { return SQLITE_MISUSE }
            unsafe size?.pointee = answer.bytes
            return answer.code
        }
        unsafe table.xSectorSize = { _ in Int32(PageFile.pageCount) }
        // A write changes no byte outside its range; nothing else is promised.
        unsafe table.xDeviceCharacteristics = { file in
            guard let lower = unsafe FileSlot(file)?.lower else { return 0 }
            return unsafe lower.pointee.pMethods.pointee.xDeviceCharacteristics(lower)
                & SQLITE_IOCAP_POWERSAFE_OVERWRITE
        }
    }

    private static func addLocks(to table: inout sqlite3_io_methods) {
        unsafe table.xLock = { file, level in
            guard let lower = unsafe FileSlot(file)?.lower else { return SQLITE_MISUSE }
            return unsafe lower.pointee.pMethods.pointee.xLock(lower, level)
        }
        unsafe table.xUnlock = { file, level in
            guard let lower = unsafe FileSlot(file)?.lower else { return SQLITE_MISUSE }
            return unsafe lower.pointee.pMethods.pointee.xUnlock(lower, level)
        }
        unsafe table.xCheckReservedLock = { file, answer in
            guard let lower = unsafe FileSlot(file)?.lower else { return SQLITE_MISUSE }
            return unsafe lower.pointee.pMethods.pointee.xCheckReservedLock(lower, answer)
        }
        unsafe table.xFileControl = { file, operation, argument in
            guard let slot = unsafe FileSlot(file) else { return SQLITE_MISUSE }
            if operation == ChangeCounter.question {
                guard let page = slot.object as? PageFile else { return SQLITE_NOTFOUND }
                return unsafe ChangeCounter.answer(page, argument)
            }
            if operation == PageReport.question {
                guard let page = slot.object as? PageFile, let argument = unsafe argument else {
                    return SQLITE_NOTFOUND
                }
                return unsafe page.check(Unmanaged<PageReport>.fromOpaque(argument).takeUnretainedValue())
            }
            let lower = unsafe slot.lower
            // These three would let SQLite go around the seal or set the size of the sealed file.
            let refused = [SQLITE_FCNTL_MMAP_SIZE, SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE]
            guard !refused.contains(operation) else { return SQLITE_NOTFOUND }
            return unsafe lower.pointee.pMethods.pointee.xFileControl(lower, operation, argument)
        }
    }

    private static func addIndex(to table: inout sqlite3_io_methods) {
        unsafe table.xShmMap = { file, region, size, extend, target in
            guard let slot = unsafe FileSlot(file) else { return SQLITE_MISUSE }
            let lower = unsafe slot.lower
            let code = unsafe lower.pointee.pMethods.pointee.xShmMap(lower, region, size, extend, target)
            if code == SQLITE_OK, region == 0, let page = slot.object as? PageFile {
                let header = unsafe target?.pointee.map { unsafe UnsafeMutableRawPointer(mutating: $0) }
                page.indexHeader = unsafe header.map { UnsafeRawPointer($0) }
            }
            return code
        }
        unsafe table.xShmLock = { file, first, count, flags in
            guard let slot = unsafe FileSlot(file), let object = slot.object else { return SQLITE_MISUSE }
            let code = object.willLockIndex(first: first, flags: flags)
            guard code == SQLITE_OK else { return code }
            let lower = unsafe slot.lower
            return unsafe lower.pointee.pMethods.pointee.xShmLock(lower, first, count, flags)
        }
        unsafe table.xShmBarrier = { file in
            guard let lower = unsafe FileSlot(file)?.lower else { return }
            unsafe lower.pointee.pMethods.pointee.xShmBarrier(lower)
        }
        unsafe table.xShmUnmap = { file, delete in
            guard let slot = unsafe FileSlot(file) else { return SQLITE_MISUSE }
            (slot.object as? PageFile)?.indexHeader = nil
            let lower = unsafe slot.lower
            return unsafe lower.pointee.pMethods.pointee.xShmUnmap(lower, delete)
        }
    }
}
