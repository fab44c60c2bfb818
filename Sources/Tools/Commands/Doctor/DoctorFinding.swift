/// One thing that `pavise doctor` looked at, and how it is.
package struct DoctorFinding: Hashable, Sendable {
    /// What is looked at, in this order.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        /// The folder of all state and the way to it.
        case home
        /// Owner, mode and kind of each file in it.
        case files
        /// The device that opens the home.
        case device
        /// Whether there is a TPM and this user may use it.
        case tpm
        /// The item database.
        case keychain
        /// The libraries of others.
        case libraries
        /// The administrator's file.
        case rules
        /// The wall clock.
        case clock
        /// Variables that libraries read before the program begins.
        case environment
        /// Items in the same home that this program does not see.
        case programs
        /// Of which build the program is.
        case build
    }

    /// How bad it is.
    package enum Level: String, Hashable, Sendable {
        /// As it should be.
        case fine
        /// Something to know.
        case note
        /// Something to mend.
        case problem
    }

    package let check: Check
    package let level: Level
    /// One or two sentences.
    package let words: String
    /// What mends it, as a shell takes it; `FILE` and `USER` are the person's to fill in.
    package let command: String?

    init(_ check: Check, _ level: Level, _ words: String, command: String? = nil) {
        self.check = check
        self.level = level
        self.words = words
        self.command = command
    }
}
