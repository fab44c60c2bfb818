import PavisePrimitives
import PaviseTransport

/// The carrier over what a test plays, without a URLSession between them. Apple's driver stands between them where
/// `make apple-check` runs the same tests (Conformance/Apple/Adapter/Checks/CarrierTests).
final class DirectSession: DrivenSession {
    private let played: StandInSession

    init(_ played: StandInSession) { self.played = played }

    func task(for message: DrivenMessage) -> (any DrivenTask)? {
        played.task(
            for: StandInRequest(
                method: message.method, url: message.url,
                lines: Dictionary((message.fields + message.secretFields).map { ($0.name.lowercased(), $0.value) }) {
                    $0 + "," + $1
                }, body: message.body, isStreamed: message.upload != nil))
    }

    func finish() { played.finish() }

    func cancel() { played.cancel() }
}

extension StandInNetwork {
    func session(_ settings: DrivenSettings, telling events: any DrivenEvents) -> any DrivenSession {
        DirectSession(StandInSession(self, telling: events, through: settings.proxy))
    }
}
