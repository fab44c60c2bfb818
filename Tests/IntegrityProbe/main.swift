internal import PaviseIntegrity
internal import PavisePrimitives

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

// Prints what the checks find in this process. With “wait” it first waits for a line, with “time” it says how long a
// check takes, with “end” it ends as the policy for releases wants it. With “protected” it protects its memory first;
// “write PATH” only asks whether a file could be written.
let word = CommandLine.arguments.dropFirst().first ?? ""
if word == "write", let path = CommandLine.arguments.last {
    print(WriteProbe.ask(path))
    exit(0)
}
if word == "wait" { _ = readLine() }
if word == "protected" { try MemoryProtection.start() }
let report = DeviceIntegrity.check()
if word == "time" {
    let clock = ContinuousClock()
    let count = 200
    let time = clock.measure { for _ in 0..<count { _ = DeviceIntegrity.check() } }
    print("microseconds \(Int(time / .microseconds(1)) / count)")
}
for finding in report.findings { print("\(finding.strength) \(finding.rule.rawValue) \(finding.evidence)") }
for gap in report.gaps { print("gap \(gap.check) \(gap.reason)") }
print("checks \(report.checks.count)")
// Not by print, which keeps its text until an exit.
func say(_ text: String) { _ = unsafe write(1, text, text.utf8.count) }

if word == "end" {
    atexit { _ = unsafe write(1, "exit handler\n", 13) }
    IntegrityPolicy.release.verdict(on: report).end(wipe: { say("wiped\n") }, note: { say("note \($0)\n") })
}
