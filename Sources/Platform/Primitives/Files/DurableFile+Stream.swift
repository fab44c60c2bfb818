internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension DurableFile {
    /// A file that is written piece by piece and appears under its name when it is whole, for its owner alone.
    ///
    /// Until ``finish()`` an older file of that name stays as it is. A stream that goes away unfinished leaves nothing.
    package struct Stream: ~Copyable {
        private let path: String
        private let temporary: String
        private let file: FileDescriptor
        private var isFinished = false

        private init(path: String, temporary: String, file: consuming FileDescriptor) {
            self.path = path
            self.temporary = temporary
            self.file = file
        }

        /// Starts to write what will be `path`; a symbolic link there will be replaced, not followed.
        package static func open(_ path: String) throws(SystemFailure) -> Stream {
            let temporary = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max)).new"
            let file = try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            return Stream(path: path, temporary: temporary, file: file)
        }

        /// Appends `bytes`.
        package borrowing func write(_ bytes: Span<UInt8>) throws(SystemFailure) { try file.write(bytes) }

        /// Makes the file appear; when this returns, it is on the disk.
        package mutating func finish() throws(SystemFailure) {
            try file.synchronise()
            guard unsafe rename(temporary, path) == 0 else {
                throw SystemFailure(operation: "rename", path: path, code: errno)
            }
            isFinished = true
            try DurableFile.synchroniseDirectory(of: path)
        }

        deinit {
            guard !isFinished else { return }
            _ = unsafe unlink(temporary)
        }
    }
}
