#!/usr/bin/env python3
"""sqlite_peer.py KIND WHAT FOLDER: the statements of Measure/Databases.swift in another SQLite; one line of JSON.

KIND: sqlite (Python's own module, as plain as it comes), sqlcipher (SQLCipher 4, raw key), mc (SQLite3 Multiple Ciphers,
ChaCha20-Poly1305, raw key). WHAT: table, or cut: how many of 50 acknowledged commits are there after half of the log was
cut off. Each statement does all of the work, so that Python's own part is nothing; the figures are held against those of
the first kind.
"""

import json
import os
import sys
import time

KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
TABLE = "CREATE TABLE night(id INTEGER PRIMARY KEY, date TEXT NOT NULL, awake INTEGER NOT NULL, text TEXT NOT NULL)"
INDEX = "CREATE INDEX byDate ON night(date)"
INSERT = """INSERT INTO night(date, awake, text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
    WHERE i < 100000) SELECT printf('2026-%06d', i), i % 90, printf('%0110d', i * 7919) FROM n"""
ONE = "INSERT INTO night(date, awake, text) VALUES ('2027', 1, printf('%0110d', 1))"
SCAN = "SELECT sum(awake), sum(length(text)) FROM night"
UPDATE = "UPDATE night SET awake = awake + 1 WHERE id > 0"


class Connection:
    """One connection, whatever the module calls things."""

    def __init__(self, kind, path):
        if kind == "mc":
            import apsw
            self.connection = apsw.Connection(path)
            self.run(f"PRAGMA hexkey='{KEY}'")
        else:
            module = __import__("sqlcipher3" if kind == "sqlcipher" else "sqlite3")
            self.connection = module.connect(path, isolation_level=None)
            if kind == "sqlcipher":
                self.run(f"PRAGMA key=\"x'{KEY}'\"")
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self.run(f"PRAGMA {pragma}")

    def run(self, text):
        return self.connection.cursor().execute(text).fetchall()

    def close(self):
        self.connection.close()


def spent(count, body):
    start = time.process_time()
    body()
    return (time.process_time() - start) * 1e6 / count


def table(kind, folder):
    path, times = os.path.join(folder, "peer.db"), {}
    one = Connection(kind, path)
    one.run(TABLE)
    one.run(INDEX)
    times["insert"] = spent(100_000, lambda: one.run(INSERT))
    times["durable"] = spent(300, lambda: [one.run(ONE) for _ in range(300)])
    one.close()
    one = Connection(kind, path)
    times["scan"] = spent(100_300, lambda: one.run(SCAN))
    times["update"] = spent(100_300, lambda: one.run(UPDATE))
    one.close()

    def open_once():
        again = Connection(kind, path)
        again.run("SELECT count(*) FROM sqlite_schema")
        again.close()
    times["open"] = spent(20, lambda: [open_once() for _ in range(20)])
    return times


def cut(kind, folder):
    path = os.path.join(folder, "peer.db")
    child = os.fork()
    if child == 0:
        writer = Connection(kind, path)
        writer.run(TABLE)
        for _ in range(50):
            writer.run(ONE)
        os._exit(0)
    os.waitpid(child, 0)
    os.truncate(path + "-wal", os.path.getsize(path + "-wal") // 2)
    try:
        rows = Connection(kind, path).run("SELECT count(*) FROM night")[0][0]
    except Exception:  # Whatever the module calls a refusal.
        rows = -1
    return {"rows": rows}


if __name__ == "__main__":
    kind, what, folder = sys.argv[1:]
    print(json.dumps({"table": table, "cut": cut}[what](kind, folder)))
