"""The log: a line that is dropped, and one that is masked and kept, beside a logger in swift-log's shape. And pages of HTML."""

from table import Row, measure


def log_rows(rounds):
    run = measure("measure", "log-lines", rounds)
    if not run["written"]:
        raise RuntimeError("a line that was to be kept was not written")

    def row(name, figure, bar, note=""):
        nanoseconds = 1000 * run[figure]
        return Row(name, nanoseconds, 1000 * run[figure + "Peer"], "ns", None, nanoseconds, bar, "atMost", note)

    return [row("log line below the level, swift-log's shape", "dropped", 5),
            row("log line that a release does not have, swift-log's shape", "notBuilt", 5),
            row("log line masked and kept, swift-log's shape without masking", "kept", 1200)]


def document_rows(rounds):
    run = measure("measure", "document-pages", rounds)
    growth = run["hundred"] / run["one"] / 100
    return [Row("page of 1 MB of HTML", run["one"], None, "ms", None, run["one"], 100, "atMost"),
            Row("100,000 nested elements", run["nested"], None, "ms", None, run["nested"], 50, "atMost"),
            Row("page of 100 MB, beside 100 times 1 MB", run["hundred"], 100 * run["one"], "ms", growth, growth, 1.5, "atMost")]
