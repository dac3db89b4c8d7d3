"""Walks collections with the TAXII client of OASIS, which the first argument names as a folder.

Reads one JSON document of walks from standard input and prints one line of JSON for each of them.
"""
import json
import sys

client, walks = sys.argv[1], json.load(sys.stdin)
sys.path.insert(0, client)

from requests.adapters import HTTPAdapter, Retry  # noqa: E402
from taxii2client import __version__  # noqa: E402
from taxii2client.v21 import Collection, Server, as_pages  # noqa: E402

login = {"user": walks["user"], "password": walks["password"]}
servers = {}
# A busy machine answers 503 with Retry-After; what is compared here is what the pages hold.
patient = HTTPAdapter(max_retries=Retry(total=30, backoff_factor=0.2, status_forcelist=[503]))


def collection_of(url, name):
    """A listed collection as discovery leads to it, and another one by its address."""
    if url not in servers:
        servers[url] = Server(url, **login)
        servers[url]._conn.session.mount("http://", patient)
    (root,) = servers[url].api_roots
    root._conn.session.mount("http://", patient)
    for collection in root.collections:
        if collection.id == name:
            return collection
    return Collection("%scollections/%s/" % (root.url, name), **login)


print(json.dumps({"version": __version__}))
for walk in walks["walks"]:
    collection = collection_of(walk["url"], walk["collection"])
    collection._conn.session.mount("http://", patient)
    ask = collection.get_manifest if walk["resource"] == "manifest" else collection.get_objects
    objects, pages = [], 0
    for page in as_pages(ask, per_request=walk["limit"], **walk["filters"]):
        pages += 1
        objects += page.get("objects", [])
    print(json.dumps({"pages": pages, "objects": objects}), flush=True)
