import Foundation
import PaviseTransport
import PaviseURLSession
import Testing

@Suite struct URLErrorCodeTests {
    @Test func `an unknown name, a closed port and a lost connection have Apple's codes`() {
        #expect(URLError(.unknownName("cloud.example")).code == .cannotFindHost)
        #expect(TransportFailure.unknownName("cloud.example").isUnknownName)
        let closed = TransportFailure.network("Nobody answers: the file was not found there.", sent: false)
        #expect(URLError(closed).code == .cannotConnectToHost)
        #expect(URLError(.network("The connection was lost.", sent: true)).code == .networkConnectionLost)
    }
}
