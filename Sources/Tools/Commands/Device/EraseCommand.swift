internal import PaviseArguments
internal import PaviseDevice
internal import PavisePrimitives

/// `pavise device erase`: the keys first, then everything they protected.
enum EraseCommand {
    private static let isSure = Flag("yes", help: "Do not ask.")

    static let action = Action(
        Command(
            "erase", abstract: "Make everything in this home unreadable, for good.",
            discussion: """
                The device's root secret is destroyed first, then the keychain and all connections are removed. With a \
                TPM, old copies of the home are unreadable too. Without one, a copy of the whole home made before \
                still opens: destroy the copies.
                """,
            parameters: [isSure, Shared.json],
            examples: [.init("pavise device erase --yes", "Erase without a question.")])
    ) { invocation, environment in
        let isBegun = try Device.isErasing(environment.home)
        let device = try isBegun ? nil : environment.openDevice()
        if !invocation[isSure] {
            let question = "Erase everything in \(environment.home.path)? Type “erase”: "
            let answer = try environment.person.answer(to: question)
            guard answer == "erase" else {
                throw CommandFailure(.failed, "Nothing was erased. Type “erase”, or write --yes.")
            }
        }
        // An erase that was cut off is ended; there is no device to open any more.
        try device?.erase() ?? Device.finishErase(environment.home, environment.device, isOrdered: true)
        let report = Report(data: .fields(["erased": true])).adding(.success("Erased."))
        try environment.show(report, for: invocation)
    }
}
