#!/usr/bin/env python3
"""Give the auditor's outputs to other people's validators.

Usage: validate.py PROGRAM APP [--sarif-schema FILE] [--vnu FILE]

PROGRAM is pavise-audit, APP a folder of sources. It writes SARIF, HTML and a bundle of evidence about APP into a folder of its own and asks:
  SARIF       jsonschema, against the schema of SARIF 2.1.0 in FILE (OASIS publishes it, and packages of npm such as @microsoft/jest-sarif have it)
  CycloneDX   cyclonedx-python-lib, strict, 1.6
  HTML        the Nu Html Checker in FILE (package vnu-jar of npm), and html5lib's strict parser
  paper       Chromium prints each report to PDF; pdftotext finds the last cell again, and nothing was fetched
What is not there is named as not validated. Status 1: something is wrong; 0 else.
"""
import argparse, json, pathlib, re, shutil, subprocess, sys, tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("app")
parser.add_argument("--sarif-schema")
parser.add_argument("--vnu")
options = parser.parse_args()
wrong = False


def say(name, found, by):
    global wrong
    wrong = wrong or bool(found)
    print(f"{'WRONG' if found else 'valid'} {name} ({by})" + (f": {found}" if found else ""))


def missing(name, what):
    print(f"not validated: {name}: {what}")


def sarif(paths):
    try:
        import jsonschema
    except ImportError:
        return missing("SARIF", "no jsonschema")
    if not options.sarif_schema:
        return missing("SARIF", "--sarif-schema is not given")
    schema = json.loads(pathlib.Path(options.sarif_schema).read_text())
    judge = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    broken = json.loads(paths[0].read_text())
    broken["runs"][0]["tool"]["driver"].pop("name")
    if not list(judge.iter_errors(broken)):
        sys.exit("validate: the schema does not notice a driver without a name")
    for path in paths:
        found = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:120]}" for error in judge.iter_errors(json.loads(path.read_text()))]
        say(path.name, "; ".join(found[:3]), "jsonschema")


def cyclonedx(path):
    try:
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
    except ImportError:
        return missing("CycloneDX", "no cyclonedx-python-lib")
    text = path.read_text()
    judge = JsonStrictValidator(SchemaVersion.V1_6)
    if not judge.validate_str(text.replace('"declarations"', '"declaration"')):
        sys.exit("validate: the validator does not notice a field that it does not know")
    said = judge.validate_str(text)
    say(path.name, str(said).splitlines()[0][:300] if said else None, "cyclonedx-python-lib, strict")


def html(paths):
    if options.vnu and shutil.which("java"):
        done = subprocess.run(["java", "-jar", options.vnu, "--format", "json", *map(str, paths)], capture_output=True, text=True)
        rows = json.loads(done.stderr)["messages"]
        for path in paths:
            found = [row["message"] for row in rows if row.get("type") != "info" and row.get("url", "").endswith(path.name)]
            say(path.name, "; ".join(found[:3])[:400], "Nu Html Checker")
    else:
        missing("HTML", "--vnu or java is not given")
    try:
        import html5lib
    except ImportError:
        return missing("HTML", "no html5lib")
    for path in paths:
        try:
            html5lib.HTMLParser(strict=True).parse(path.read_text())
            found = None
        except html5lib.html5parser.ParseError as error:
            found = str(error)
        say(path.name, found, "html5lib, strict")


def paper(paths, folder):
    if not shutil.which("chromium") or not shutil.which("pdftotext"):
        return missing("paper", "no chromium, or no pdftotext")
    for path in paths:
        text = path.read_text()
        fetched = re.findall(r"(?:src|href)=\"(?!#)[^\"]*\"|<script|@import|url\(", text)
        pdf = folder / (path.name + ".pdf")
        subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/chromium", "--no-pdf-header-footer",
                        f"--print-to-pdf={pdf}", path.as_uri()], capture_output=True, timeout=120)
        if not pdf.exists():
            say(path.name, "it does not print", "Chromium")
            continue
        printed = subprocess.run(["pdftotext", "-raw", str(pdf), "-"], capture_output=True, text=True).stdout
        cells = re.findall(r"<td>([^<]{4,40})<", text)
        last = cells[-1].split()[0] if cells else ""
        pages = printed.count("\f")
        # A narrow column breaks a word at its hyphens.
        is_there = last in "".join(printed.split()) and pages
        found = f"outside of the file: {fetched[0]}" if fetched else None if is_there else f"“{last}” is not on paper"
        say(f"{path.name}, {pages} pages", found, "Chromium and pdftotext")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for form in ("sarif", "html"):
        done = subprocess.run([options.program, f"--{form}", "--output", str(folder / f"audit.{form}"), options.app], capture_output=True, text=True)
        if done.returncode == 2:
            sys.exit(done.stderr)
    done = subprocess.run([options.program, "evidence", options.app, "--standard", "tr-03161-1", "--out", str(folder / "evidence")], capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    reports = [folder / "audit.html", folder / "evidence/report.en.html", folder / "evidence/report.de.html"]
    sarif([folder / "audit.sarif", folder / "evidence/findings.sarif"])
    cyclonedx(folder / "evidence/cyclonedx.json")
    html(reports)
    paper(reports, folder)
sys.exit(wrong)
