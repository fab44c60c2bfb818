// On Apple's systems the Security API is the system's own. This folder adds what the Kit asks for beside it: the names
// and signatures of Sources/Platform/SecurityFramework, each a thin call into documented API. It is built on macOS
// hosts only and is not compiled or run by this repository's checks (Documentation/Decisions/0005-apple-hosts.md).
@_exported public import Security
