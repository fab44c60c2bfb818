internal import CPeers
internal import Foundation
internal import PaviseDevice

private let digest = [UInt8](repeating: 7, count: 32)
private let batch = 100

/// ADDRESS FOLDER: microseconds of a P-256 signature by a key in the TPM, beside the bare calls of ESAPI in C.
///
/// Both sides connect, load their key, sign a hundred times and give the connection up; the figure is a hundredth of that.
func tpmSign(_ arguments: [String]) throws -> [(String, String)] {
    guard arguments.count == 2, let address = TPMAddress(arguments[0]) else { usage() }
    let element = try TPMElement.open(arguments[1], at: address, mayCreate: true)
    let key = try element.generateKey()
    element.disconnect()
    guard let peer = unsafe peer_tpm_new(address.text) else { throw MeasureFailure(description: "no peer") }
    defer { unsafe peer_tpm_free(peer) }
    let rounds = try Rounds(12, batch: 1) {
        for _ in 0..<batch { _ = try element.sign(digest: digest, with: key.blob) }
        element.disconnect()
    } peer: {
        guard unsafe peer_tpm_sign(peer, digest, Int32(batch)) == 1 else {
            throw MeasureFailure(description: "the peer did not sign")
        }
    }
    let figures = rounds.figures
    return [
        ("ours", "\(figures.ours / Double(batch))"), ("peer", "\(figures.peer / Double(batch))"),
        ("ratio", "\(figures.ratio)"),
    ]
}
