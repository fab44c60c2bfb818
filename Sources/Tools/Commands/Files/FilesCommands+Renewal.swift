internal import PaviseArguments
internal import PavisePrimitives
internal import PaviseProtectedStorage
internal import PaviseStorage

/// `pavise files renew-keys`: new keys for a container, and none of its data lost.
extension FilesCommands {
    private static let database = RepeatedOption(
        "database", value: "NAME", help: "A database of the container. Name all of them; the folder tells none.")

    static let renewKeys = Action(
        Command(
            "renew-keys", abstract: "Seal a whole container under new keys.",
            discussion: """
                For the end of a crypto-period (NIST SP 800-57 part 1, 5.3), or when somebody may have seen the keys. \
                All files and databases are sealed anew in another place, which takes as much room again; then the old \
                keys are destroyed, and no copy of the old files opens any more. The device has to be unlocked.

                Ctrl-C, a kill or a full disk loses nothing. Before the new keys are decided on, the container stays \
                as it was, and the command begins anew when it is called again; after that, whatever opens the \
                container next ends the work. Who writes meanwhile waits or is refused, and opens the container \
                again. Cached images, and copies from before a step of a schema, are not taken along.

                Exit status: 0 all keys are new, 1 it failed or was stopped, 2 a database was not named, 3 a later \
                version or another home wrote it, 5 locked.
                """,
            parameters: [database, container, Shared.json],
            examples: [
                .init("pavise files renew-keys", "Renew the keys of the home's own files."),
                .init(
                    "pavise files renew-keys --container sleep-diary --database nights",
                    "Renew those of an app that keeps files and one database."),
            ])
    ) { invocation, environment in
        let own = invocation[container]
        let found = try content(of: own, databases: invocation[database], in: environment.home)
        // Ctrl-C ends it between two pieces; a kill leaves the copy so far, which the next renewal removes.
        let progress = FileProgress(environment)
        try progress.listen()
        let outcome = try renew(own, found.databases, environment.home) { bytes in
            progress.advance(by: bytes)
            return !environment.isStopped()
        }
        guard outcome == .renewed else {
            throw CommandFailure(.failed, "Stopped before the end. Nothing was changed: the keys are the old ones.")
        }
        let report = Report(
            data: .fields([
                "container": own.map { .string($0) } ?? .null, "files": .integer(found.files),
                "databases": .integer(found.databases.count), "bytes": .integer(progress.done),
            ]))
        let words = "\(found.files.counting("file")) and \(found.databases.count.counting("database"))"
        try environment.show(
            report.adding(.success("\(words) lie under new keys. The old ones are destroyed.")), for: invocation)
    }

    /// What a container has, with the databases of these names.
    private static func content(
        of own: String?, databases names: [String], in home: PaviseHome
    ) throws -> (files: Int, databases: [ProtectedContainer.DatabaseName]) {
        let opened = try ProtectedContainer.there(own, in: home)
        var databases: [ProtectedContainer.DatabaseName] = []
        for name in names {
            let found = try opened.databases(named: name)
            guard !found.isEmpty else {
                throw CommandFailure(
                    .failed, "There is no database “\(Printable.text(name))” in this container. Nothing was changed.")
            }
            let others = found.filter { !databases.contains($0) }
            databases += others
        }
        return (try opened.files.list().count, databases)
    }

    private static func renew(
        _ own: String?, _ databases: [ProtectedContainer.DatabaseName], _ home: PaviseHome,
        while goesOn: (Int) -> Bool
    ) throws -> ProtectedContainer.RenewalOutcome {
        do throws(ProtectedDatabaseError) {
            return try ProtectedContainer.renewKeys(of: own, databases: databases, in: home, while: goesOn)
        } catch {
            guard error == .storage(.unusable(.databases)) else { throw error }
            throw CommandFailure(
                .usage,
                """
                The container has a database that was not named. Name all of them with --database, as the app calls \
                them. Nothing was changed.
                """
            )
        }
    }
}

extension ProtectedContainer {
    /// That of the home, or of the app that a person named. None is made.
    fileprivate static func there(_ own: String?, in home: PaviseHome) throws -> ProtectedContainer {
        if let own { return try named(own, in: home) }
        do throws(StorageFailure) { return try ofHome(home, mayCreate: false) } catch {
            guard error == .absent else { throw error }
            throw CommandFailure(.failed, "This home has no protected files.")
        }
    }

    /// The container that a person named. Where there is none, the failure names the nearest one.
    static func named(_ name: String, in home: PaviseHome) throws -> ProtectedContainer {
        do throws(StorageFailure) { return try open(name, in: home, mayCreate: false) } catch {
            // No container has such a name. What is said of a name is the rule of files, which it may well keep.
            guard error == .absent || error == .unusable(.name) else { throw error }
            let near = Spelling.nearest(to: name, among: (try? names(in: home)) ?? [])
            let hint = near.map { " Did you mean “\($0)”?" } ?? ""
            throw CommandFailure(.failed, "There is no container of this name.\(hint)")
        }
    }
}
