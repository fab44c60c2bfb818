#!/usr/bin/env python3
"""ECIES packets across two implementations: ours through SecKey, and one written here over the `cryptography` package.

Each curve, hash and IV family: packets that we seal open here, packets sealed here open with us, and a packet with one
flipped bit opens nowhere. Says "skipped" and ends well where `cryptography` cannot be had.
"""

import pathlib
import secrets
import signal
import subprocess
import sys

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
except ImportError:
    print("ecies: skipped, Python's cryptography package is missing (make conformance installs it into .venv)")
    sys.exit(0)

CURVES = {"P-224": ec.SECP224R1(), "P-256": ec.SECP256R1(), "P-384": ec.SECP384R1(), "P-521": ec.SECP521R1()}
HASHES = {"SHA1": hashes.SHA1, "SHA224": hashes.SHA224, "SHA256": hashes.SHA256, "SHA384": hashes.SHA384,
          "SHA512": hashes.SHA512}
PLAINTEXTS = [b"", b"x", secrets.token_bytes(1024)]


def point(key):
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def key_and_iv(own, other, ephemeral, curve, hash_type, derives_iv):
    """Key of 16 bytes up to 256 bits, 32 above; IV of sixteen zero bytes, or the next 16 bytes of the derivation."""
    count = 16 if curve.key_size <= 256 else 32
    derived = X963KDF(algorithm=hash_type(), length=count + (16 if derives_iv else 0), sharedinfo=ephemeral).derive(
        own.exchange(ec.ECDH(), other))
    return derived[:count], derived[count:] or bytes(16)


def seal(public, curve, hash_type, derives_iv, plain):
    own = ec.generate_private_key(curve)
    ephemeral = point(own.public_key())
    key, iv = key_and_iv(own, public, ephemeral, curve, hash_type, derives_iv)
    return ephemeral + AESGCM(key).encrypt(iv, plain, None)


def open_packet(private, curve, hash_type, derives_iv, packet):
    size = 1 + 2 * ((curve.key_size + 7) // 8)
    ephemeral = ec.EllipticCurvePublicKey.from_encoded_point(curve, packet[:size])
    key, iv = key_and_iv(private, ephemeral, packet[:size], curve, hash_type, derives_iv)
    return AESGCM(key).decrypt(iv, packet[size:], None)


def flip(packet):
    changed = bytearray(packet)
    changed[secrets.randbelow(len(packet))] ^= 1 << secrets.randbelow(8)
    return bytes(changed)


class Ours:
    """The program that seals and opens through SecKey."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, word, algorithm, key, data):
        self.process.stdin.write(f"{word} {algorithm} {key.hex()} {data.hex() or '-'}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise SystemExit(f"ecies: our program ended at {word} {algorithm}")
        if answer.startswith("error"):
            return answer
        return b"" if answer == "-" else bytes.fromhex(answer)


def check(ours, curve_name, hash_name, kind, derives_iv):
    """Returns what went wrong."""
    curve, hash_type = CURVES[curve_name], HASHES[hash_name]
    algorithm = f"algid:encrypt:ECIES:{kind}:KDFX963:{hash_name}:AESGCM" + ("-KDFIV" if derives_iv else "")
    private = ec.generate_private_key(curve)
    public = point(private.public_key())
    scalar = private.private_numbers().private_value.to_bytes((curve.key_size + 7) // 8, "big")
    problems = []
    for plain in PLAINTEXTS:
        packet = ours.ask("seal", algorithm, public, plain)
        if isinstance(packet, str):
            problems.append(f"sealing {len(plain)} bytes: {packet}")
            continue
        try:
            if open_packet(private, curve, hash_type, derives_iv, packet) != plain:
                problems.append(f"our packet of {len(plain)} bytes opens to something else")
        except (InvalidTag, ValueError) as problem:
            problems.append(f"our packet of {len(plain)} bytes does not open: {type(problem).__name__}")
        theirs = seal(private.public_key(), curve, hash_type, derives_iv, plain)
        if ours.ask("open", algorithm, public + scalar, theirs) != plain:
            problems.append(f"their packet of {len(plain)} bytes does not open with us")
        if ours.ask("open", algorithm, public + scalar, flip(theirs)) != "error -50":
            problems.append(f"a packet with a flipped bit is not refused with -50")
    return [f"{curve_name} {algorithm}: {problem}" for problem in problems]


def main():
    signal.alarm(120)  # a program that never answers must not keep this waiting
    ours = Ours(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / ".build/release/ecies-packets")
    problems, count = [], 0
    for curve in CURVES:
        for hash_name in HASHES:
            for kind in ("ECDH", "ECDHC"):
                for derives_iv in (False, True):
                    if hash_name == "SHA1" and derives_iv:
                        continue  # Apple has no such algorithm
                    problems += check(ours, curve, hash_name, kind, derives_iv)
                    count += 1
    print(f"ecies: {count} combinations of curve, hash and IV family, {len(problems)} problems")
    for problem in problems[:20]:
        print("  PROBLEM:", problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
