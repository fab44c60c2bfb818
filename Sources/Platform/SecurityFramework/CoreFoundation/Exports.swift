// Apple's module brings these two along, and code that imports nothing else counts on them. No more than these: in a
// build by the toolset every file of every package sees this module, and all of Foundation would meet names of its own
// there.
@_exported public import struct Foundation.Data
@_exported public import struct Foundation.Date
