// Keeps the memory of a program out of core files, crash reports and reach of the user's other programs. Call it first.
import Pavise
import PavisePrimitives

try MemoryProtection.start()
print("core files and tracing are forbidden: \(MemoryProtection.isActive)")

let pages = MemoryProtection.pages
print("pages of secrets: locked \(pages.areLocked), not dumped \(pages.areNotDumped), not forked \(pages.areNotForked)")
