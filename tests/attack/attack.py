"""Attacks a server on this machine in every way that docs/operations.md limits, while `referee load`
measures live matches at the same time. Uses only the standard library.

The attackers connect from 127.0.0.2, which the server must trust as a proxy, and name their own
clients in X-Forwarded-For, because direct connections from this machine have no limits by address:

    referee serve --listen 127.0.0.1:9000 --trusted-proxy 127.0.0.2 --data DIR
    referee load --server 127.0.0.1:9000 --matches 1000 --seconds 45 --server-pid PID
    python3 tests/attack/attack.py --server 127.0.0.1:9000 --seconds 135 --record RECORD
"""

import argparse
import asyncio
import collections
import ipaddress
import json
import pathlib
import time

PROXY = "127.0.0.2"
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "X-Forwarded-For: {client}\r\n\r\n"
)
POST = (
    "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    "Content-Length: {length}\r\nX-Forwarded-For: {client}\r\n\r\n"
)


def frame(first, payload=b""):
    """A WebSocket frame masked with zeros. The payload must be short."""
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


class Attack:
    def __init__(self, server, seconds, record):
        host, port = server.rsplit(":", 1)
        if not ipaddress.ip_address(host).is_loopback:
            raise SystemExit("only a server on this machine can be attacked")
        self.host, self.port, self.record = host, int(port), record
        self.until = time.monotonic() + seconds
        self.counts = collections.Counter()

    async def connect(self):
        return await asyncio.open_connection(self.host, self.port, local_addr=(PROXY, 0))

    async def upgrade(self, path, client):
        reader, writer = await self.connect()
        writer.write(HANDSHAKE.format(path=path, client=client).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            writer.close()
            raise ConnectionRefusedError
        return reader, writer

    async def flood(self, client, path, first, again):
        """Sends frames endlessly on one socket."""
        _reader, writer = await self.upgrade(path, client)
        writer.write(first)
        while time.monotonic() < self.until:
            writer.write(again * 500)
            await writer.drain()

    async def hold(self, client):
        """Holds a Socket.IO connection that answers heartbeats but never says hello."""
        reader, writer = await self.upgrade("/socket.io/?EIO=4&transport=websocket", client)
        writer.write(frame(0x81, b"40"))
        while await reader.read(4096):
            writer.write(frame(0x81, b"3"))

    async def trickle(self, client):
        """Sends a body at one byte per second."""
        reader, writer = await self.connect()
        writer.write(POST.format(path="/api/replay", length=100_000, client=client).encode())
        while time.monotonic() < self.until and not reader.at_eof():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(1)

    async def replay(self, client, reads):
        """Requests a replay of a long match, and reads the response or leaves it unread."""
        reader, writer = await self.connect()
        path = "/api/replay?viewer=all"
        writer.write(POST.format(path=path, length=len(self.record), client=client).encode())
        writer.write(self.record)
        await writer.drain()
        if reads:
            status = (await reader.readline()).split(b" ")[1].decode()
            self.counts[f"replay answered {status}"] += 1
            while await reader.read(1 << 16):
                pass
        else:
            # The stream's buffer limit stops reading.
            writer.transport.pause_reading()
            await asyncio.sleep(max(0, self.until - time.monotonic()))
        writer.close()

    async def again(self, name, attack, *args):
        """Repeats an attack until time is up."""
        while time.monotonic() < self.until:
            try:
                left = self.until - time.monotonic()
                await asyncio.wait_for(attack(*args), left)
                self.counts[f"{name} ended"] += 1
            except TimeoutError:
                self.counts[f"{name} outlasted the run"] += 1
            except (OSError, asyncio.IncompleteReadError):
                self.counts[f"{name} refused or cut off"] += 1
            await asyncio.sleep(0.02)

    async def run(self, n_clients):
        tasks = []
        for nth in range(n_clients):
            client = f"198.51.100.{nth + 1}"
            kinds = [
                ("pings", self.flood, client, "/ws", b"", frame(0x89)),
                ("pongs", self.flood, client, "/ws", b"", frame(0x8A)),
                ("continuations", self.flood, client, "/ws", frame(0x01), frame(0x00)),
                ("messages", self.flood, client, "/ws", b"", frame(0x81, b'{"type":"ping","at":1}')),
                ("silent Socket.IO", self.hold, client),
                ("slow bodies", self.trickle, client),
                ("replays", self.replay, client, True),
                ("unread replays", self.replay, client, False),
            ]
            tasks += [self.again(*kind) for kind in kinds]
        await asyncio.gather(*tasks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--record", type=pathlib.Path, required=True)
    given = parser.parse_args()
    attack = Attack(given.server, given.seconds, given.record.read_bytes())
    asyncio.run(attack.run(given.clients))
    print(json.dumps(dict(sorted(attack.counts.items())), indent=1))


if __name__ == "__main__":
    main()
