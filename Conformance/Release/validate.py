#!/usr/bin/env python3
"""Give a release's SBOMs and provenance to other people's validators.

Usage: validate.py FOLDER      each *.cdx.json by cyclonedx-python-lib against the JSON schema of CycloneDX 1.6 (strict: no field that
                               it does not know), provenance.intoto.json by in-toto-attestation: statement v1, SLSA provenance v1
       validate.py --self-test breaks a good SBOM and a good provenance, and sees that the validators notice

It runs in the folder of Conformance/Release/requirements.txt, which `Scripts/bootstrap release` makes.
"""

import copy
import json
import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from google.protobuf import json_format
from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
from in_toto_attestation.v1 import resource_descriptor_pb2
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from in_toto_attestation.v1.statement import Statement

TYPES = ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1")


def wrong_in_bill(text):
    """What the validator says against an SBOM; None where it says nothing."""
    said = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if said:
        return str(said).splitlines()[0][:300]
    bill = json.loads(text)
    if bill["specVersion"] != "1.6":
        return "it is of another version"
    refs = [part["bom-ref"] for part in bill["components"]] + [bill["metadata"]["component"]["bom-ref"]]
    depended = [row["ref"] for row in bill["dependencies"]]
    other = {each for row in bill["dependencies"] for each in row.get("dependsOn", [])} - set(refs)
    if sorted(refs) != sorted(depended) or other:
        return f"dependencies and components differ: {sorted(set(refs) ^ set(depended) | other)}"
    return None


def wrong_in_provenance(text):
    """What the validators say against a statement; None where they say nothing."""
    try:
        fields = json.loads(text)
        if (fields.get("_type"), fields.get("predicateType")) != TYPES:
            return "it is of another type"
        subjects = [json_format.ParseDict(each, resource_descriptor_pb2.ResourceDescriptor()) for each in fields["subject"]]
        predicate = json_format.ParseDict(fields["predicate"], provenance_pb2.Provenance())
        Statement(subjects, fields["predicateType"], fields["predicate"]).validate()
        definition, details = predicate.build_definition, predicate.run_details
        for each in definition.resolved_dependencies:
            descriptor = ResourceDescriptor()
            descriptor.pb.CopyFrom(each)
            descriptor.validate()
            if not (each.uri or each.digest or each.content):
                return f"{each.name} has neither uri nor digest"
        # What the text of SLSA v1.0 demands and the types do not.
        if not definition.build_type or not len(definition.external_parameters) or not details.builder.id:
            return "buildType, externalParameters or builder.id is empty"
    except (ValueError, KeyError, TypeError, json_format.ParseError) as error:
        return f"{type(error).__name__}: {error}"[:300]
    return None


BILL = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
        "metadata": {"timestamp": "2026-01-01T00:00:00Z", "component": {"type": "application", "bom-ref": "a", "name": "a"}},
        "components": [{"type": "library", "bom-ref": "b", "name": "b", "hashes": [{"alg": "SHA-256", "content": "0" * 64}]}],
        "dependencies": [{"ref": "a", "dependsOn": ["b"]}, {"ref": "b"}]}
STATEMENT = {"_type": TYPES[0], "subject": [{"name": "a", "digest": {"sha256": "0" * 64}}], "predicateType": TYPES[1],
             "predicate": {"buildDefinition": {"buildType": "https://a.example", "externalParameters": {"x": 1},
                                               "resolvedDependencies": [{"uri": "pkg:deb/debian/a@1"}]},
                           "runDetails": {"builder": {"id": "https://a.example"}}}}


def self_test():
    def changed(value, *path, to=None):
        value = copy.deepcopy(value)
        last = value
        for step in path[:-1]:
            last = last[step]
        if to is None:
            del last[path[-1]]
        else:
            last[path[-1]] = to
        return json.dumps(value)

    for text, judge in ((json.dumps(BILL), wrong_in_bill), (json.dumps(STATEMENT), wrong_in_provenance)):
        if judge(text):
            sys.exit(f"validate: self-test: a good one is refused: {judge(text)}")
    bills = [changed(BILL, "bomFormat"), changed(BILL, "specVersion", to="1.5x"), changed(BILL, "components", 0, "type", to="thing"),
             changed(BILL, "components", 0, "hashes", 0, "content", to="zz"), changed(BILL, "serialNumber", to="urn:uuid:1"),
             changed(BILL, "extra", to=1), changed(BILL, "dependencies", 1), changed(BILL, "dependencies", 0, "dependsOn", to=["c"]),
             changed(BILL, "metadata", "timestamp", to="yesterday"), changed(BILL, "components", 0, "name")]
    inner = ("predicate", "buildDefinition")
    statements = [changed(STATEMENT, "_type", to="https://in-toto.io/Statement/v0.1"), changed(STATEMENT, "predicateType", to="https://slsa.dev/provenance/v0.2"),
                  changed(STATEMENT, "subject", to=[]), changed(STATEMENT, "subject", 0, "digest"), changed(STATEMENT, *inner, "buildType"),
                  changed(STATEMENT, *inner, "externalParameters"), changed(STATEMENT, *inner, "resolvedDependencies", 0, to={"name": "a"}),
                  changed(STATEMENT, *inner, "extra", to=1), changed(STATEMENT, "predicate", "runDetails", "builder", to={})]
    for judge, texts in ((wrong_in_bill, bills), (wrong_in_provenance, statements)):
        for number, text in enumerate(texts):
            if not judge(text):
                sys.exit(f"validate: self-test: {judge.__name__} does not notice change {number}")
    print(f"validate: {len(bills)} broken SBOMs and {len(statements)} broken statements are refused")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder, wrong = pathlib.Path(sys.argv[1]), False
    judged = [(path, wrong_in_bill) for path in sorted(folder.glob("*.cdx.json"))] + [(path, wrong_in_provenance) for path in folder.glob("*.intoto.json")]
    for path, judge in judged:
        said = judge(path.read_text())
        wrong = wrong or bool(said)
        print(f"{'WRONG' if said else 'valid'} {path.name}" + (f": {said}" if said else ""))
    if not judged:
        sys.exit(f"validate: {folder} holds no SBOM and no provenance")
    sys.exit(1 if wrong else 0)


main()
