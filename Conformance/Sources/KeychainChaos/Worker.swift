internal import Foundation
internal import SecurityFramework

/// The part that is killed: performs its plan and says on its output what it is about to do and what came of it.
///
/// A line is written in one call before the next operation begins, so the kernel has it when the process dies.
enum Worker {
    /// `seed worker from to`: the operations `from..<to` of a plan.
    static func perform(_ arguments: [Int]) {
        let plan = Plan(seed: UInt64(arguments[0]), worker: arguments[1])
        for number in arguments[2]..<arguments[3] {
            say("begin \(number)")
            say("end \(number) \(Keychain.perform(plan.operation(number), service: plan.service))")
        }
    }

    /// `from to`: waits for the parent's word, then adds the same accounts as every other racer.
    static func race(_ arguments: [Int]) {
        say("ready")
        _ = readLine()
        for number in arguments[0]..<arguments[1] {
            say("end \(number) \(Keychain.add("race", "account-\(number)", Value(worker: 0, number: number)))")
        }
    }

    /// `service…`: what a fresh process finds, one line for each item, then one for the end.
    static func list(_ services: [String]) {
        for service in services {
            let (status, accounts) = Keychain.accounts(of: service)
            // A list that failed has no accounts either, and says nothing of what is there.
            guard status == errSecSuccess || status == errSecItemNotFound else {
                return say("failed \(service) \(status)")
            }
            for account in accounts { say("item \(service) \(account) \(Keychain.read(service, account))") }
        }
        say("complete")
    }

    /// Adds the item that every worker writes and reads, and nobody deletes.
    static func share() {
        exit(Keychain.add(Plan.shared, Plan.shared, Plan.first) == .done(nil) ? 0 : 1)
    }

    /// `service account`: takes an item away, for the run's own test.
    static func forget(_ words: [String]) {
        guard words.count == 2 else { return }
        exit(Keychain.forget(words[0], words[1]) == .done(nil) ? 0 : 1)
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
