// Code that Linux takes and Apple's compiler refuses (Documentation/EntryPoints.md). The self-test compiles it in
// Darwin mode: each line that is marked is refused, and no other one. Stage A compiles all of it on Linux.
import Foundation
import Security

struct OfKey: Sendable { let key: SecKey }  // refused
struct OfIdentity: Sendable { let identity: SecIdentity }  // refused
struct OfTrust: Sendable { let trust: SecTrust }  // refused
struct OfPolicy: Sendable { let policy: SecPolicy }  // refused
struct OfControl: Sendable { let control: SecAccessControl }  // refused
struct OfReference: Sendable { let reference: Data }
struct OfReason: Sendable { nonisolated(unsafe) let key: SecKey }

func isKey(_ found: AnyObject) -> Bool { (found as? SecKey) != nil }  // refused
func isIdentity(_ found: AnyObject) -> Bool { (found as? SecIdentity) != nil }  // refused
func isKeyByType(_ found: AnyObject) -> Bool { CFGetTypeID(found) == SecKeyGetTypeID() }

func entry(_ all: CFDictionary, _ name: String) -> Any? { all[name] }  // refused
func entryOfSwift(_ all: CFDictionary, _ name: String) -> Any? { (all as? [String: Any])?[name] }
func size(_ text: CFString) -> Int { text.length }  // refused
func sizeOfSwift(_ text: CFString) -> Int { (text as String).count }
