#include "Peers.h"

#include <sqlite3.h>
#include <stdlib.h>

struct peer_sqlite {
    sqlite3 *database;
    sqlite3_stmt *insert;
};

struct peer_sqlite *peer_sqlite_open(const char *path) {
    struct peer_sqlite *peer = calloc(1, sizeof *peer);
    const char *schema =
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE IF NOT EXISTS item(id INTEGER PRIMARY KEY, service TEXT NOT NULL, account TEXT NOT NULL,"
        " data BLOB NOT NULL, UNIQUE(service, account));";
    if (sqlite3_open(path, &peer->database) == SQLITE_OK && sqlite3_exec(peer->database, schema, 0, 0, 0) == SQLITE_OK
        && sqlite3_prepare_v2(
               peer->database, "INSERT INTO item(service, account, data) VALUES(?1, ?2, ?3)", -1, &peer->insert, 0)
            == SQLITE_OK)
        return peer;
    peer_sqlite_close(peer);
    return NULL;
}

void peer_sqlite_close(struct peer_sqlite *peer) {
    sqlite3_finalize(peer->insert);
    sqlite3_close(peer->database);
    free(peer);
}

int peer_sqlite_insert(
    struct peer_sqlite *peer, const char *service, const char *account, const uint8_t *data, size_t count) {
    sqlite3_bind_text(peer->insert, 1, service, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(peer->insert, 2, account, -1, SQLITE_TRANSIENT);
    sqlite3_bind_blob(peer->insert, 3, data, (int)count, SQLITE_TRANSIENT);
    int status = sqlite3_step(peer->insert);
    sqlite3_reset(peer->insert);
    return status == SQLITE_DONE;
}

struct peer_sqlite *peer_sqlite_open_empty(const char *path) {
    struct peer_sqlite *peer = calloc(1, sizeof *peer);
    if (sqlite3_open(path, &peer->database) == SQLITE_OK
        && sqlite3_exec(peer->database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;", 0, 0, 0) == SQLITE_OK)
        return peer;
    peer_sqlite_close(peer);
    return NULL;
}

int peer_sqlite_run(struct peer_sqlite *peer, const char *statement) {
    sqlite3_stmt *prepared = NULL;
    if (sqlite3_prepare_v2(peer->database, statement, -1, &prepared, 0) != SQLITE_OK) return 0;
    int status;
    while ((status = sqlite3_step(prepared)) == SQLITE_ROW) {
    }
    sqlite3_finalize(prepared);
    return status == SQLITE_DONE;
}
