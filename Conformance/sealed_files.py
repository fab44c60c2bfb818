#!/usr/bin/env python3
"""Reads the test vectors of protected files as Documentation/DataAtRest.md says, without any code of Pavise.

    sealed_files.py            reads every vector; status 1 when one does not say what it has to
    sealed_files.py --make     writes the vectors that are missing and that this program can make

Needs Python's package `cryptography`.
"""

import pathlib
import struct
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256, Hash
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import aes_key_unwrap, aes_key_wrap
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "ProtectedStorageTests" / "Vectors"
CONTAINER = bytes(range(0xA0, 0xB0))
ZERO = bytes(12)
COUNTS = {"a-empty": 0, "a-chunk": 4_096, "a-two": 4_097, "b-short": 11, "c-short": 11, "d-three": 10_000,
          "a-erasable": 5_000, "b-erasable": 11}
# The halves of erasable files, which lie in a container's database.
HALF = bytes(0xE0 ^ number for number in range(32))


def raw(public):
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def class_key(number):
    return bytes(number * 16 ^ place for place in range(64 if number == 2 else 32))


def derived(file_key, salt, use):
    return AESGCM(HKDF(SHA256(), 32, salt, b"pavise file 1 " + use).derive(file_key))


def agreed(secret, ephemeral, public):
    digest = Hash(SHA256())
    digest.update(bytes([0, 0, 0, 1]) + secret + ephemeral + public)
    return digest.finalize()


def unwrapped(number, wrapped):
    if number != 2:
        return aes_key_unwrap(class_key(number), wrapped)
    own = X25519PrivateKey.from_private_bytes(class_key(2)[:32])
    secret = own.exchange(X25519PublicKey.from_public_bytes(wrapped[:32]))
    return aes_key_unwrap(agreed(secret, wrapped[:32], raw(own.public_key())), wrapped[32:])


def wrapped_for(number, file_key):
    if number != 2:
        return aes_key_wrap(class_key(number), file_key)
    public = X25519PrivateKey.from_private_bytes(class_key(2)[:32]).public_key()
    one = X25519PrivateKey.generate()
    ephemeral = raw(one.public_key())
    return ephemeral + aes_key_wrap(agreed(one.exchange(public), ephemeral, raw(public)), file_key)


def nonce(number, is_last):
    return number.to_bytes(11, "big") + bytes([is_last])


def content(count):
    return bytes(number * 7 & 0xFF for number in range(count))


def read(data, half=None):
    """Attributes and content of a sealed file."""
    magic, form, kind, exponent, flags, length = struct.unpack(">7sBBBHI", data[:16])
    assert magic == b"PVSFILE" and form == 1 and kind in (1, 2, 3, 4) and 12 <= exponent <= 20 and flags in (0, 1)
    file, container = data[16:32], data[32:48]
    assert container == CONTAINER and length <= 4096
    end = 48 + (72 if kind == 2 else 40)
    key = unwrapped(kind, data[48:end])
    if flags & 1:
        key += half
    salt = file + container
    derived(key, salt, b"head").decrypt(ZERO, data[length - 16:length], data[:length - 16])
    plain = derived(key, salt, b"attributes").decrypt(ZERO, data[end:length - 16], data[:end])
    version, size, modified, generation, named = struct.unpack(">BQqQH", plain[:27])
    name = plain[27:27 + named].decode()
    typed = plain[27 + named]
    kind_of = plain[28 + named:28 + named + typed].decode()
    rest = plain[28 + named + typed:]
    assert version == 1 and len(plain) % 64 == 0 and not any(rest)
    opener, chunk = derived(key, salt, b"content"), 1 << exponent
    chunks = max(1, -(-size // chunk))
    assert len(data) == length + size + 16 * chunks
    parts = []
    for number in range(chunks):
        is_last = number == chunks - 1
        start = length + number * (chunk + 16)
        sealed = data[start:] if is_last else data[start:start + chunk + 16]
        parts.append(opener.decrypt(nonce(number, is_last), sealed, b""))
    return (name, kind_of, modified, generation, flags), b"".join(parts)


def made(name, kind, count, half):
    """A sealed file with chunks of 4,096 bytes; the keys are no secret, so that they may be the same each time."""
    file = bytes(range(0x10, 0x20)) if kind == 1 else bytes(range(0x30, 0x40))
    file_key = bytes(0x5A ^ number for number in range(32))
    wrapped = wrapped_for(kind, file_key)
    key, salt = file_key + half, file + CONTAINER
    text, typed = f"vector {name}".encode(), b"text/plain"
    plain = struct.pack(">BQqQH", 1, count, 1_700_000_000_000, 1, len(text)) + text + bytes([len(typed)]) + typed
    plain += bytes(-len(plain) % 64)
    length = 48 + len(wrapped) + len(plain) + 16 + 16
    bound = struct.pack(">7sBBBHI", b"PVSFILE", 1, kind, 12, 1, length) + file + CONTAINER + wrapped
    head = bound + derived(key, salt, b"attributes").encrypt(ZERO, plain, bound)
    head += derived(key, salt, b"head").encrypt(ZERO, b"", head)
    sealer, whole = derived(key, salt, b"content"), content(count)
    chunks = max(1, -(-count // 4096))
    return head + b"".join(
        sealer.encrypt(nonce(number, number == chunks - 1), whole[number * 4096:(number + 1) * 4096], b"")
        for number in range(chunks))


def main():
    if sys.argv[1:] == ["--make"]:
        for name, kind in (("a-erasable", 1), ("b-erasable", 2)):
            place = VECTORS / f"{name}.pvs"
            if not place.exists():
                place.write_bytes(made(name, kind, COUNTS[name], HALF))
    failed = 0
    for name in sorted(set(COUNTS) - {place.stem for place in VECTORS.glob("*.pvs")}):
        failed += 1
        print(f"{name}: MISSING")
    for place in sorted(VECTORS.glob("*.pvs")):
        name, data = place.stem, place.read_bytes()
        flags = int(name.endswith("-erasable"))
        good = read(data, HALF) == (
            (f"vector {name}", "text/plain", 1_700_000_000_000, 1, flags), content(COUNTS[name]))
        if flags:
            # With another half it is no file.
            try:
                read(data, bytes(32))
                good = False
            except InvalidTag:
                pass
        failed += not good
        print(f"{name}: {'as written' if good else 'WRONG'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
