// ecies-packets: seals and opens packets for another implementation.
//
// One request a line on standard input, one answer a line on standard output, everything in hexadecimal:
//   seal ALGORITHM PUBLIC-KEY PLAINTEXT       the packet
//   open ALGORITHM PRIVATE-KEY PACKET         the plaintext
// ALGORITHM is the name as SecKeyAlgorithm has it; keys are 04‖X‖Y, private ones followed by K. A refusal is "error
// CODE".
internal import Foundation
internal import SecurityFramework

func bytes(_ text: Substring) -> Data? {
    guard text != "-" else { return Data() }
    guard text.count % 2 == 0 else { return nil }
    var data = Data()
    var rest = text[...]
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
        data.append(byte)
        rest = rest.dropFirst(2)
    }
    return data
}

func text(_ data: Data) -> String {
    data.isEmpty ? "-" : data.map { String(format: "%02x", $0) }.joined()
}

func key(_ data: Data, isPrivate: Bool) -> SecKey? {
    let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeyClass: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
    ]
    return SecKeyCreateWithData(data as CFData, attributes as CFDictionary, nil)
}

func answer(_ line: String) -> String {
    let words = line.split(separator: " ")
    guard words.count == 4, let keyBytes = bytes(words[2]), let input = bytes(words[3]) else { return "error usage" }
    let isOpening = words[0] == "open"
    guard let key = key(keyBytes, isPrivate: isOpening) else { return "error key" }
    let algorithm = SecKeyAlgorithm(rawValue: String(words[1]) as CFString)
    var problem: Unmanaged<CFError>?
    let output =
        isOpening
        ? SecKeyCreateDecryptedData(key, algorithm, input as CFData, &problem)
        : SecKeyCreateEncryptedData(key, algorithm, input as CFData, &problem)
    guard let output else { return "error \(problem.map { $0.takeRetainedValue().code } ?? 0)" }
    return text(output as Data)
}

while let line = readLine() { FileHandle.standardOutput.write(Data("\(answer(line))\n".utf8)) }
