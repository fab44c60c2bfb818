"""The peer of the limbo row: the cases of a file judged by pyca's cryptography, counted, and nothing kept of one for another."""

import datetime
import ipaddress
import json
import sys
import warnings

from cryptography import x509
from cryptography.x509 import verification

warnings.simplefilter("ignore")


def is_accepted(case):
    name = case["expected_peer_name"]
    subject = (x509.IPAddress(ipaddress.ip_address(name["value"])) if name["kind"] == "IP"
               else x509.DNSName(name["value"]))
    load = lambda text: x509.load_pem_x509_certificate(text.encode())
    policy = verification.PolicyBuilder().store(verification.Store([load(text) for text in case["trusted_certs"]]))
    if case["validation_time"]:
        policy = policy.time(datetime.datetime.fromisoformat(case["validation_time"].replace("Z", "+00:00"))
                             .replace(tzinfo=None))
    if case["max_chain_depth"] is not None:
        policy = policy.max_chain_depth(case["max_chain_depth"])
    others = [load(text) for text in case["untrusted_intermediates"]]
    try:
        policy.build_server_verifier(subject).verify(load(case["peer_certificate"]), others)
        return True
    except verification.VerificationError:
        return False


def main():
    counts = {"right": 0, "wrong": 0, "skipped": 0}
    with open(sys.argv[1]) as file:
        cases = json.load(file)["testcases"]
    for case in cases:
        # It judges neither clients by address nor revocation lists.
        if case["validation_kind"] != "SERVER" or not case["expected_peer_name"] or "has-crl" in case["features"]:
            counts["skipped"] += 1
            continue
        try:
            accepted = is_accepted(case)
        except (ValueError, TypeError, x509.InvalidVersion, x509.UnsupportedGeneralNameType):
            accepted = False
        counts["right" if accepted == (case["expected_result"] == "SUCCESS") else "wrong"] += 1
    print(json.dumps({**counts, "cases": len(cases)}))


if __name__ == "__main__":
    main()
