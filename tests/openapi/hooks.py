"""Signs the fuzzer in and gives it the id of a match, which it cannot know."""

import json
import os
import urllib.request

import schemathesis
from hypothesis import strategies

SERVER = os.environ["REFEREE_URL"]
MATCH_ID = os.environ["REFEREE_MATCH"]
RECORD = urllib.request.urlopen(f"{SERVER}/api/matches/{MATCH_ID}/record").read()


@schemathesis.auth(refresh_interval=None)
class Guest:
    """Creates an account for every request, because some requests revoke their own token."""

    def get(self, case, context):
        request = urllib.request.Request(f"{SERVER}/auth/guest", method="POST")
        return json.load(urllib.request.urlopen(request))["authToken"]

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def before_generate_path_parameters(context, strategy):
    if context.operation.path.startswith("/api/matches/"):
        return strategies.one_of(strategy, strategies.just({"id": MATCH_ID}))
    return strategy


@schemathesis.hook
def before_generate_body(context, strategy):
    if context.operation.path == "/api/replay":
        return strategies.one_of(strategy, strategies.just(RECORD))
    return strategy


@schemathesis.serializer("application/jsonl")
def record(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
