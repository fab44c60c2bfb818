// On Apple's systems the Security API is the system's own. This folder adds what the Kit asks for beside it: the names
// and signatures of Sources/Platform/SecurityFramework, each a thin call into documented API. A package of ours has it
// on a Mac alone (Documentation/Decisions/0005-apple-hosts.md); `make apple-check` compiles it in Darwin mode and runs
// it over our own keychain, and no Apple system has run it.
@_exported public import Security
