"""Starts the server and lets Schemathesis send every request that the OpenAPI document allows, and
many that it forbids. Fails on a status of 500 or above, and on any response that the document does
not describe.

usage: REFEREE_BIN=target/debug/referee python tests/openapi/run.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
# The same requests in every run.
SEED = "20261116"
EXAMPLES = "25"
# The document cannot list which games, codes and logins exist, so a request that it allows may
# still be refused. Every refusal must be described.
EXCLUDED = "positive_data_acceptance"


def main():
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [
                os.environ["REFEREE_BIN"],
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--data",
                data,
                "--bot-pause-ms",
                "1",
                "--bot-beat-ms",
                "1",
                "--timing",
                "orcain.step-ms=1",
                "--log",
                "error",
                # The disk of the test machine may stall.
                "--storage-patience-ms",
                "30000",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            status = fuzz(server)
        finally:
            server.kill()
            said = server.stderr.read()
        if said:
            print(f"the server logged errors:\n{said}")
        sys.exit(status or bool(said))


def fuzz(server):
    line = next(line for line in server.stdout if "listening on " in line)
    url = line.split("listening on ")[1].strip()
    environment = dict(
        os.environ,
        REFEREE_URL=url,
        REFEREE_MATCH=play(url),
        SCHEMATHESIS_HOOKS=str(HERE / "hooks.py"),
        PYTHONPATH=str(HERE),
    )
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "run",
        f"{url}/openapi.json",
        "--seed",
        SEED,
        "--max-examples",
        EXAMPLES,
        "--mode",
        "all",
        "--phases",
        "examples,coverage,fuzzing",
        "--exclude-checks",
        EXCLUDED,
        "--request-timeout",
        "60",
        "--no-color",
        "--warnings",
        "off",
        "--generation-database",
        "none",
    ]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(command, env=environment, cwd=folder).returncode


def play(url):
    """Lets two bots play a match to its end and returns its id."""
    token = ask(url, "POST", "/auth/guest")["authToken"]
    match_id = ask(url, "POST", "/api/matches", token, {"game": "orcain", "bots": ["random", "random"]})[
        "match_id"
    ]
    deadline = time.monotonic() + 120
    while ask(url, "GET", f"/api/matches/{match_id}")["state"] != "over":
        if time.monotonic() > deadline:
            sys.exit("the match between two bots did not end")
        time.sleep(0.1)
    return match_id


def ask(url, method, path, token=None, body=None):
    request = urllib.request.Request(url + path, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    if body is not None:
        request.add_header("Content-Type", "application/json")
        request.data = json.dumps(body).encode()
    return json.load(urllib.request.urlopen(request))


if __name__ == "__main__":
    main()
