internal import PavisePrimitives

/// Judges a program's file: what of debugging is in it, and how it is hardened. Pure: it reads bytes and gives
/// findings.
///
/// ```swift
/// let result = try BuildCheck.judge(bytes, for: policy, as: .release)
/// ```
package enum BuildCheck {
    /// What the file is meant to be.
    package enum Purpose: Hashable, Sendable {
        /// For people: nothing of debugging may be in it.
        case release
        /// For developers: every declared switch has to be in it, or else the check of a release is blind.
        case debug
    }

    /// What was found, and what the file says about itself.
    package struct Result: Hashable, Sendable {
        package let facts: ProgramFacts
        package let findings: [BuildFinding]
    }

    /// Judges a file for a policy.
    package static func judge(
        _ bytes: [UInt8], for policy: BuildPolicy = BuildPolicy(), as purpose: Purpose = .release
    ) throws(ProgramProblem) -> Result {
        let facts = try ProgramFacts(bytes)
        var search = TextSearch(policy)
        search.search(bytes)
        guard purpose == .release else {
            let missing = policy.switches.filter { !search.markers.contains($0) }
            return Result(facts: facts, findings: missing.map { BuildFinding(.switchNotFound, $0) })
        }
        let content = leftovers(search, policy) + declared(facts, policy)
        return Result(facts: facts, findings: content + ([facts] + facts.otherSlices).flatMap(hardening))
    }

    private static func leftovers(_ search: TextSearch, _ policy: BuildPolicy) -> [BuildFinding] {
        let groups: [(BuildRule, Set<String>)] = [
            (.debugSwitch, search.markers), (.debugFlag, search.flags), (.host, search.hosts),
            (.environmentName, search.variables), (.buildPath, search.paths), (.instrumented, search.runtimes),
            (.noStackProtector, search.unprotected),
        ]
        return groups.flatMap { rule, found in found.sorted().map { BuildFinding(rule, $0) } }
    }

    private static func declared(_ facts: ProgramFacts, _ policy: BuildPolicy) -> [BuildFinding] {
        var findings: [BuildFinding] = []
        let slices = [facts] + facts.otherSlices
        if let known = policy.libraries {
            let others = Set(slices.flatMap(\.libraries)).subtracting(known)
            findings += others.sorted().map { BuildFinding(.library, $0) }
        }
        for slice in slices {
            var names = slice.entitlementNames
            if let text = slice.entitlements {
                guard let entries = (try? PropertyListValue.parse(Array(text.utf8)))?.members else {
                    findings.append(BuildFinding(.entitlement, "they cannot be read"))
                    continue
                }
                names.formUnion(entries.map(\.name))
            }
            findings += names.filter { !policy.entitlements.contains($0) && !isHarmless($0) }
                .sorted().map { BuildFinding(.entitlement, $0) }
        }
        return findings
    }

    // What Xcode puts into every signed app.
    private static func isHarmless(_ name: String) -> Bool {
        ["application-identifier", "com.apple.application-identifier", "com.apple.developer.team-identifier"].contains(
            name)
    }

    private static let instruments = [
        "__asan_init", "__tsan_init", "__ubsan_handle_type_mismatch_v1", "__llvm_profile_runtime",
        "__sanitizer_cov_trace_pc_guard_init",
    ]

    private static func hardening(_ facts: ProgramFacts) -> [BuildFinding] {
        var findings: [BuildFinding] = []
        func rule(_ rule: BuildRule, if isBroken: Bool, _ evidence: String) {
            if isBroken { findings.append(BuildFinding(rule, evidence)) }
        }
        let isELF = facts.format == .elf
        let place = facts.processor
        rule(.notPositionIndependent, if: !facts.isPositionIndependent, place)
        rule(.noReadOnlyRelocations, if: !facts.hasReadOnlyRelocations, place)
        rule(.bindsLate, if: !facts.bindsAtStart, place)
        rule(.executableStack, if: facts.hasExecutableStack, place)
        rule(.writableCode, if: facts.hasWritableCode, place)
        rule(.textRelocations, if: facts.hasTextRelocations, place)
        for path in facts.searchPaths
        where isELF || !path.hasPrefix("@executable_path/Frameworks") && !path.hasPrefix("/usr/lib/swift") {
            findings.append(BuildFinding(.searchPath, path))
        }
        rule(.symbols, if: facts.hasSymbols, place)
        rule(.debugInformation, if: facts.hasDebugInformation, place)
        for name in instruments where facts.imports.contains(name) {
            findings.append(BuildFinding(.instrumented, name))
        }
        for name in facts.libraries where isInstrument(name) { findings.append(BuildFinding(.instrumented, name)) }
        let isChecked = facts.imports.contains { $0.hasPrefix("__stack_chk_") }
        rule(.noStackProtector, if: !isChecked, "__stack_chk_fail is not called")
        let isFortified = facts.imports.contains { $0.hasSuffix("_chk") }
        rule(.notFortified, if: isELF && !isFortified, "no function whose name ends in _chk is called")
        return findings
    }

    private static func isInstrument(_ library: String) -> Bool {
        let name = library.split(separator: "/").last.map(String.init) ?? library
        return ["libasan", "libtsan", "libubsan", "libclang_rt.", "libswiftSwiftOnoneSupport"].contains {
            name.hasPrefix($0)
        }
    }
}
