package import PavisePrimitives
internal import Synchronization

// The root is made unusable first, then the bag, then the data: whatever a crash leaves behind cannot be read, and the
// mark lets the next opening finish the work.
extension Device {
    /// Erases the device: its keys for good, then everything in the home that they protected.
    ///
    /// No passcode is needed: whoever can do this can remove the files as well.
    package func erase() throws(DeviceFailure) { try alone { try eraseAlone() } }

    func eraseAlone() throws {
        let bag = (try? current().bag) ?? state.withLock { $0.bag }
        forgetUnlocked(bag) { _ in true }
        state.withLock { state in
            state.keys = [:]
            state.stamp = nil
        }
        try EraseMark(identity: bag.identity, by: element).write(home)
        try DeviceStep.eraseMarked.reached()
        try element.erase()
        try DeviceStep.elementErased.reached()
        try Self.removeData(home)
    }

    /// Whether there is a device in `home`. One whose erase has begun is none.
    ///
    /// - Throws: When the file system does not say.
    package static func exists(in home: PaviseHome) throws(DeviceFailure) -> Bool {
        guard try !isErasing(home) else { return false }
        return try DeviceFailure.reporting { try DurableFile.presence(of: keybag(home)).get() } != nil
    }

    /// Whether an erase in `home` has begun and did not end. The next opening ends it.
    ///
    /// - Throws: When the file system does not say, or the mark is none of Pavise's.
    package static func isErasing(_ home: PaviseHome) throws(DeviceFailure) -> Bool {
        try check(home)
        return try EraseMark.read(home) != nil
    }

    static func check(_ home: PaviseHome) throws(DeviceFailure) {
        try DeviceFailure.reporting { try home.check(.device) }
    }

    /// Finishes an erase that a crash cut off; without one, nothing happens.
    ///
    /// Where the element's secret is gone nothing proves the mark. Then the files go, which whoever wrote the mark
    /// could have removed, and nothing that the element itself keeps: an altered file of the element looks the same,
    /// and a copy of the home opens while a TPM's counter stands where it stood.
    ///
    /// - Parameter isOrdered: Whether a person orders it now. Then the element is erased as far as its file leads.
    /// - Throws: And nothing is erased: ``DeviceFailure/foreignMark(file:)`` when the mark is of another device, or the
    ///   element is whole and did not write it; ``DeviceFailure/damaged(file:)`` when a keybag does not say whose it
    ///   is, which no erase leaves behind.
    package static func finishErase(
        _ home: PaviseHome, _ environment: DeviceEnvironment, isOrdered: Bool = false
    ) throws(DeviceFailure) {
        try check(home)
        try alone(home) {
            guard let mark = try EraseMark.read(home) else { return }
            // A bag that is there says which element has to go; its root may be gone already.
            let stored = try DurableFile.readIfPresent(keybag(home), limit: Keybag.limit, isSecret: true)
            if let stored {
                guard let head = Keybag.Head(stored) else { throw DeviceFailure.damaged(file: keybag(home)) }
                guard mark.means(head.identity) else { throw DeviceFailure.foreignMark(file: EraseMark.path(home)) }
                let isWritten = try isWritten(mark, head, home, environment)
                guard isWritten != false else { throw DeviceFailure.foreignMark(file: EraseMark.path(home)) }
                if isWritten == true || isOrdered { try eraseElement(head, home, environment) }
                try removeElement(home)
            }
            try removeData(home)
        }
    }

    // Whether the device's element wrote the mark; `nil` where its secret is gone. Where the element does not answer,
    // nobody can say.
    private static func isWritten(
        _ mark: EraseMark, _ head: Keybag.Head, _ home: PaviseHome, _ environment: DeviceEnvironment
    ) throws(DeviceFailure) -> Bool? {
        do throws(DeviceFailure) {
            let element = try environment.elements.open(head.element, in: home.device, mayCreate: false)
            return try mark.isWritten(by: element)
        } catch {
            guard error.isOfLostSecret else { throw error }
            return nil
        }
    }

    private static func eraseElement(
        _ head: Keybag.Head, _ home: PaviseHome, _ environment: DeviceEnvironment
    ) throws(DeviceFailure) {
        do throws(DeviceFailure) {
            try environment.elements.open(head.element, in: home.device, mayCreate: false).erase()
        } catch {
            // A file that is gone, or leads nowhere.
            guard error.isOfLostSecret else { throw error }
        }
    }

    // What an element keeps in files; what it keeps elsewhere is not touched.
    private static func removeElement(_ home: PaviseHome) throws {
        for file in ["/element.tpm", "/element.secret"] { try DurableFile.remove(home.device + file) }
        for folder in ["/guards", "/keys"] { try Folder.remove(home.device + folder) }
    }

    private static func removeData(_ home: PaviseHome) throws {
        try DurableFile.remove(keybag(home))
        try DeviceStep.bagRemoved.reached()
        try DurableFile.remove(home.device + "/attempts")
        try DurableFile.remove(PendingGuard.path(home.device))
        Unfinished.sweep(home.device)
        let parts = [home.device + "/epochs", home.device + "/marks", home.keychain, home.connections]
        for folder in parts + [home.attestation] { try Folder.remove(folder) }
        for folder in try sealedData(home) { try Folder.remove(folder) }
        try DeviceStep.dataRemoved.reached()
        try DurableFile.remove(EraseMark.path(home))
    }

    // What apps keep in containers: nobody could read it any more, and no new container would be made over it. A
    // container has two places, and one that is removed a third. And keychains that a repair set aside.
    private static func sealedData(_ home: PaviseHome) throws -> [String] {
        let own = ["", ".removed", "~", "~.removed"].map { home.protected + $0 }
        let aside = try Folder.names(in: home.path).filter { $0.hasPrefix("keychain-") }
        return [home.containers] + own + aside.map { home.path + "/" + $0 }
    }
}
