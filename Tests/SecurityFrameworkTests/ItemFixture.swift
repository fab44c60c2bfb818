// The fixture of the keychain's suites, for every file of this target.
@_exported import KeychainTestSupport
