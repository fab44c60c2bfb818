"""The part of JSON Schema 2020-12 that the schemas of this project use. Any other keyword is a mistake of the schema's."""

import re

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "number": (int, float)}
KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties", "items",
         "enum", "const", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "minProperties", "pattern", "anyOf",
         "default", "examples"}


def resolved(schema, root):
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        schema = root["$defs"][name]
    return schema


def validate(value, schema, root, path=""):
    """Problems of `value`."""
    schema = resolved(schema, root)
    if set(schema) - KNOWN:
        return [f"schema of {path or 'the whole'}: {sorted(set(schema) - KNOWN)} is not understood here"]
    kind = schema.get("type")
    if kind and (not isinstance(value, KINDS[kind]) or kind in ("integer", "number") and isinstance(value, bool)):
        return [f"{path or 'the whole'}: no {kind}"]
    found = []
    say = lambda words: found.append(f"{path or 'the whole'}: {words}")
    if "enum" in schema and value not in schema["enum"]:
        say(f"none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        say(f"not {schema['const']}")
    if kind in ("integer", "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        say("out of its range")
    if kind == "string":
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            say("too short or too long")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            say("of another form")
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            say("too few or too many")
        for number, element in enumerate(value):
            found += validate(element, schema.get("items", {}), root, f"{path}[{number}]")
    if kind == "object":
        if len(value) < schema.get("minProperties", 0):
            say("too few members")
        found += [f"{path or 'the whole'}: {name} is missing" for name in schema.get("required", []) if name not in value]
        others = schema.get("additionalProperties", {})
        for name, inner in value.items():
            if name in schema.get("properties", {}):
                found += validate(inner, schema["properties"][name], root, f"{path}.{name}".lstrip("."))
            elif others is False:
                say(f"{name} is not known")
            elif isinstance(others, dict):
                found += validate(inner, others, root, f"{path}.{name}".lstrip("."))
    if "anyOf" in schema and all(validate(value, one | ({"type": kind} if kind else {}), root, path) for one in schema["anyOf"]):
        say("none of the ways that are allowed")
    return found
