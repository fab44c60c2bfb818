/// What the linter of `NSAppTransportSecurity` looks for. The raw value is the rule's stable name.
package enum ATSLintRule: String, Hashable, Sendable, CaseIterable {
    case type = "ATS-TYPE"
    case arbitrary = "ATS-ARBITRARY"
    case shadowed = "ATS-SHADOWED"
    case media = "ATS-MEDIA"
    case web = "ATS-WEB"
    case presentFalse = "ATS-PRESENT-FALSE"
    case local = "ATS-LOCAL"
    case insecure = "ATS-INSECURE"
    case insecureWide = "ATS-INSECURE-WIDE"
    case forwardSecrecyOff = "ATS-FS-OFF"
    case minimumLow = "ATS-MIN-LOW"
    case minimumRedundant = "ATS-MIN-REDUNDANT"
    case minimumRaised = "ATS-MIN-RAISED"
    case minimumUnknown = "ATS-MIN-UNKNOWN"
    case transparencyDead = "ATS-CT-DEAD"
    case legacy = "ATS-LEGACY"
    case unknownKey = "ATS-UNKNOWN-KEY"
    case keyCase = "ATS-KEY-CASE"
    case keyPort = "ATS-KEY-PORT"
    case keyWildcard = "ATS-KEY-WILDCARD"
    case keyScheme = "ATS-KEY-SCHEME"
    case keySpace = "ATS-KEY-SPACE"
    case keyNonASCII = "ATS-KEY-NONASCII"
    case keyDot = "ATS-KEY-DOT"
    case keyAddress = "ATS-KEY-ADDRESS"
    case rangeDead = "ATS-CIDR-DEAD"
    case rangeOctal = "ATS-CIDR-OCTAL"
    case rangeTie = "ATS-CIDR-TIE"
    case subdomainDepth = "ATS-SUBDOMAIN-DEPTH"
    case subdomainAddress = "ATS-SUBDOMAIN-ADDRESS"
    case entryEmpty = "ATS-ENTRY-EMPTY"
    case entryCovered = "ATS-ENTRY-COVERED"
    case builtIn = "ATS-BUILTIN"
    case justify = "ATS-JUSTIFY"
    case pinEmpty = "PIN-EMPTY"
    case pinValue = "PIN-VALUE"
    case pinDuplicate = "PIN-DUPLICATE"
    case pinNoBackup = "PIN-NO-BACKUP"
    case pinDepth = "PIN-DEPTH"
    case pinAddress = "PIN-ADDRESS"
    case pinHTTP = "PIN-HTTP"
    case pinArbitrary = "PIN-ARBITRARY"
    case pinMerge = "PIN-MERGE"
    case pinRequired = "PIN-REQUIRED"
    /// Not about ATS: the file itself cannot be read, so nothing is known about it.
    case unreadable = "PLIST-UNREADABLE"
    /// A key stands twice in one dictionary; the last one counts.
    case duplicateKey = "PLIST-DUPLICATE-KEY"

    /// How much a finding matters.
    package enum Severity: String, Hashable, Sendable {
        /// It does not do what it says, or it breaks connections.
        case error
        /// It gives protection up.
        case warning
        /// Worth knowing.
        case info
    }

    /// How much a finding of this rule matters.
    package var severity: Severity {
        switch self {
        case .type, .insecureWide, .minimumUnknown, .keyCase, .keyPort, .keyWildcard, .keyScheme, .keySpace,
            .keyNonASCII, .keyDot, .rangeDead, .rangeOctal, .pinEmpty, .pinValue, .pinHTTP, .unreadable:
            .error
        case .local, .minimumRedundant, .minimumRaised, .transparencyDead, .subdomainAddress, .entryEmpty,
            .entryCovered, .builtIn, .justify, .pinDuplicate, .pinMerge:
            .info
        default: .warning
        }
    }

    /// What the rule is about, in one line.
    package var summary: String {
        switch self {
        case .type: "A value of a type that Apple's parser does not use."
        case .arbitrary: "ATS is off for every host without an entry."
        case .shadowed: "NSAllowsArbitraryLoads is silenced by a narrower key."
        case .media: "ATS is off for media."
        case .web: "ATS is off in web views."
        case .presentFalse: "A narrow key that is false still switches NSAllowsArbitraryLoads off."
        case .local: "Local networking is allowed explicitly."
        case .insecure: "Plain http is allowed for a host."
        case .insecureWide: "Plain http is allowed for hosts of strangers."
        case .forwardSecrecyOff: "Forward secrecy is given up for a host."
        case .minimumLow: "TLS 1.0 or 1.1 is allowed for a host."
        case .minimumRedundant: "A lowest version that is the usual one."
        case .minimumRaised: "TLS 1.3 is required."
        case .minimumUnknown: "A lowest version that no connection can use."
        case .transparencyDead: "NSRequiresCertificateTransparency has no effect."
        case .legacy: "A key of a former name or system."
        case .unknownKey: "A key that ATS does not know."
        case .keyCase: "An entry with capitals never matches."
        case .keyPort: "An entry with a port never matches."
        case .keyWildcard: "An entry with a wildcard never matches."
        case .keyScheme: "An entry with a scheme never matches."
        case .keySpace: "An entry with a blank never matches."
        case .keyNonASCII: "An entry outside ASCII never matches."
        case .keyDot: "An entry with a dot at an end does not match the name."
        case .keyAddress: "An entry for an address does not work everywhere."
        case .rangeDead: "An address range that is not read."
        case .rangeOctal: "An address range whose prefix is read as octal."
        case .rangeTie: "Two entries for the same address range."
        case .subdomainDepth: "Names two or more labels below: code and documentation differ."
        case .subdomainAddress: "Addresses have no subdomains."
        case .entryEmpty: "An entry without keys."
        case .entryCovered: "An entry that changes nothing."
        case .builtIn: "An entry that replaces one of Apple's own."
        case .justify: "Keys for which App Review wants a reason."
        case .pinEmpty: "An empty list of pins lets no connection through."
        case .pinValue: "A pin that cannot match."
        case .pinDuplicate: "The same pin twice."
        case .pinNoBackup: "No backup pin."
        case .pinDepth: "Names two labels below a pinned domain are not pinned."
        case .pinAddress: "Pins for addresses."
        case .pinHTTP: "A pinned host may be loaded over plain http."
        case .pinArbitrary: "Pins beside switched-off ATS."
        case .pinMerge: "Two entries pin the same host."
        case .pinRequired: "SecTrustPinningRequired changes what the pins mean."
        case .unreadable: "The property list cannot be read."
        case .duplicateKey: "A key stands twice."
        }
    }
}
