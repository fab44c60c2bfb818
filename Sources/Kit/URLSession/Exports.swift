// `serverTrust`, `URLCredential(trust:)` and the names of the methods: what Foundation on Linux lacks.
@_exported public import PaviseChallenges
