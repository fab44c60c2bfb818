extension DurableFile {
    /// A file that is written piece by piece and appears under its name when it is whole, for its owner alone.
    ///
    /// Until ``finish()`` an older file of that name stays as it is. A stream that goes away unfinished leaves nothing.
    package struct Stream: ~Copyable {
        private var file: UnfinishedFile

        /// Starts to write what will be `path`; a symbolic link there will be replaced, not followed.
        ///
        /// What streams for the same path left when their processes were killed is removed.
        package static func open(_ path: String) throws(SystemFailure) -> Stream {
            try expectReplaceable(path)
            Unfinished.sweep(for: path)
            return Stream(file: try UnfinishedFile(path))
        }

        private init(file: consuming UnfinishedFile) { self.file = file }

        /// Appends `bytes`.
        package borrowing func write(_ bytes: Span<UInt8>) throws(SystemFailure) { try file.write(bytes) }

        /// Makes the file appear; when this returns, it is on the disk.
        package mutating func finish() throws(SystemFailure) { try file.finish() }

        /// The same where nothing has the name.
        ///
        /// - Returns: `false` when something has it; nothing appears then.
        package mutating func finishUnlessPresent() throws(SystemFailure) -> Bool { try file.finishUnlessPresent() }
    }
}
