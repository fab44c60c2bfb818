internal import CPaviseSQLite

/// The memory of one open file, laid out for SQLite: its own structure, our object, then the system's file.
@safe
struct FileSlot {
    private static let objectOffset = unsafe MemoryLayout<sqlite3_file>.stride
    private static let lowerOffset = objectOffset + 8

    /// How much memory SQLite allocates for a file.
    static func count(lower: Int32) -> Int32 { Int32(lowerOffset) + lower }

    private let base: UnsafeMutableRawPointer

    /// - Parameter file: What SQLite gave; `nil` never happens.
    init?(_ file: UnsafeMutablePointer<sqlite3_file>?) {
        guard let file = unsafe file else { return nil }
        unsafe base = UnsafeMutableRawPointer(file)
    }

    /// The system's file.
    var lower: UnsafeMutablePointer<sqlite3_file> {
        unsafe (base + Self.lowerOffset).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Our object.
    var object: (any SealedFile)? {
        guard let pointer = unsafe base.load(fromByteOffset: Self.objectOffset, as: UnsafeRawPointer?.self) else {
            return nil
        }
        return unsafe Unmanaged<FileBox>.fromOpaque(pointer).takeUnretainedValue().file
    }

    /// Marks the file as not open: SQLite then does not call it.
    func clear() {
        unsafe (base.assumingMemoryBound(to: sqlite3_file.self)).pointee.pMethods = nil
        unsafe base.storeBytes(of: nil, toByteOffset: Self.objectOffset, as: UnsafeRawPointer?.self)
    }

    /// Puts `object` in charge, and with it our functions.
    func open(_ object: any SealedFile, _ methods: UnsafePointer<sqlite3_io_methods>) {
        let pointer = unsafe UnsafeRawPointer(Unmanaged.passRetained(FileBox(object)).toOpaque())
        unsafe base.storeBytes(of: pointer, toByteOffset: Self.objectOffset, as: UnsafeRawPointer?.self)
        unsafe (base.assumingMemoryBound(to: sqlite3_file.self)).pointee.pMethods = methods
    }

    /// Lets go of the object.
    func release() {
        guard let pointer = unsafe base.load(fromByteOffset: Self.objectOffset, as: UnsafeRawPointer?.self) else {
            return
        }
        clear()
        unsafe Unmanaged<FileBox>.fromOpaque(pointer).release()
    }
}

/// A class around a protocol value, since only a class has one address.
private final class FileBox {
    let file: any SealedFile
    init(_ file: any SealedFile) { self.file = file }
}
