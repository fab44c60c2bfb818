#if os(Linux)
internal import PaviseCurl
internal import PavisePrimitives

extension CurlTransport {
    /// The question that a new connection to `origin` asks the app's own code; `nil` where there is none.
    func inquiry(about origin: Origin) -> JudgedConnection.Inquiry? {
        guard let inquirer, origin.scheme == .https else { return nil }
        let (anchors, time) = (policy.anchors, time)
        return { chain, judged, answer in
            // A certificate that cannot be read is refused without a question: there is nothing to ask about.
            guard let verdict = judged as? ServerVerdict, verdict.chain.summary != nil else { return answer(judged) }
            let question = ServerQuestion(
                origin: origin, certificates: chain.certificates, staple: chain.staple, anchors: anchors,
                seconds: time.wallSeconds)
            inquirer.ask(question) { answer(verdict.answered($0)) }
        }
    }
}
#endif
