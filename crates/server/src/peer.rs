//! The client behind a connection or a request: the unit that per-address limits count.
//!
//! Promise: No proxy and no forged header evades a limit by address.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue};

/// The client that a request or socket counts against.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Peer {
    /// A program on this machine that connected without a proxy: the operator. Per-address limits
    /// do not apply.
    Local,
    /// An IPv4 address, or the /64 network of an IPv6 address, which one subscriber is assigned.
    Network(IpAddr),
}

impl Peer {
    /// Returns the client at an address other than this machine's own.
    fn remote(address: IpAddr) -> Peer {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                Peer::Network(Ipv6Addr::from_bits(network).into())
            }
            IpAddr::V4(address) => Peer::Network(address.into()),
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Peer::Local => f.write_str("local"),
            Peer::Network(IpAddr::V4(address)) => address.fmt(f),
            Peer::Network(IpAddr::V6(network)) => write!(f, "{network}/64"),
        }
    }
}

/// The origin of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// The client itself: the connection is counted as a whole.
    Direct(Peer),
    /// A trusted proxy: each request names its client and is counted separately.
    Proxied {
        /// The proxy, which is counted for requests that do not name a client.
        proxy: Peer,
    },
}

/// The proxies whose `X-Forwarded-For` is trusted.
#[derive(Clone, Default, Debug)]
pub(crate) struct Proxies(Vec<IpAddr>);

impl Proxies {
    pub(crate) fn new(addresses: &[IpAddr]) -> Proxies {
        Proxies(addresses.iter().map(IpAddr::to_canonical).collect())
    }

    /// Returns the origin of a connection from this address.
    pub(crate) fn arrival(&self, address: IpAddr) -> Arrival {
        if self.trusts(address) {
            let proxy = Peer::remote(address);
            Arrival::Proxied { proxy }
        } else if address.to_canonical().is_loopback() {
            Arrival::Direct(Peer::Local)
        } else {
            Arrival::Direct(Peer::remote(address))
        }
    }

    /// Returns the client behind a request that came over this connection. The entries of
    /// `X-Forwarded-For` are read from the right. Entries of trusted proxies are skipped, and the
    /// first other one is the client. If that entry is not an address, or there is none, the proxy
    /// itself is counted. Entries further left are never used, because the client may have written
    /// them.
    pub(crate) fn client(&self, arrival: Arrival, headers: &HeaderMap) -> Peer {
        let proxy = match arrival {
            Arrival::Direct(peer) => return peer,
            Arrival::Proxied { proxy } => proxy,
        };
        let lines = headers.get_all("x-forwarded-for").iter();
        let lines: Vec<&[u8]> = lines.map(HeaderValue::as_bytes).collect();
        let entries = lines
            .iter()
            .rev()
            .flat_map(|line| line.rsplit(|byte| *byte == b','));
        for entry in entries {
            match read_entry(entry) {
                Some(address) if self.trusts(address) => {}
                Some(address) => return Peer::remote(address),
                None => return proxy,
            }
        }
        proxy
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// Reads an entry of `X-Forwarded-For`: an address, with or without a port and brackets.
fn read_entry(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(address.ip());
    }
    let bracketed = text.strip_prefix('[')?.strip_suffix(']')?;
    bracketed.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the client behind these lines of `X-Forwarded-For`, where 127.0.0.1 and 10.0.0.2 are
    /// trusted proxies and the connection comes from the first.
    #[track_caller]
    fn check(lines: &[&[u8]], client: &str) {
        let proxies = Proxies::new(&["127.0.0.1", "::ffff:10.0.0.2"].map(|it| it.parse().unwrap()));
        let arrival = proxies.arrival("::ffff:127.0.0.1".parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", line.to_vec().try_into().unwrap());
        }
        let found = proxies.client(arrival, &headers).to_string();
        assert_eq!(found, client, "{lines:?}");
    }

    #[test]
    fn the_last_entry_that_is_not_a_trusted_proxy_is_the_client() {
        check(&[b"203.0.113.7"], "203.0.113.7");
        check(&[b"198.51.100.1, 203.0.113.7"], "203.0.113.7");
        check(&[b"203.0.113.7, 10.0.0.2"], "203.0.113.7");
        check(&[b"203.0.113.7,10.0.0.2 , 127.0.0.1"], "203.0.113.7");
        check(&[b"198.51.100.1", b"203.0.113.7"], "203.0.113.7");
        check(&[b"203.0.113.7", b"10.0.0.2"], "203.0.113.7");
        check(&[b"::ffff:203.0.113.7"], "203.0.113.7");
        // A forwarded loopback address is a client like any other.
        check(&[b"127.0.0.9"], "127.0.0.9");
    }

    #[test]
    fn the_port_of_an_entry_is_ignored() {
        check(&[b"198.51.100.1, 203.0.113.7:51000"], "203.0.113.7");
        check(&[b"198.51.100.1, [2001:db8::7]:443"], "2001:db8::/64");
        check(&[b"198.51.100.1, [2001:db8::7]"], "2001:db8::/64");
        check(&[b"203.0.113.7, 10.0.0.2:8080"], "203.0.113.7");
    }

    #[test]
    fn entries_before_an_invalid_one_are_never_used() {
        for last in [
            &b"unknown"[..],
            b"_hidden",
            b"203.0.113.7:99999",
            b"203.0.113.7:",
            b"203.0.113",
            b"[203.0.113.7]",
            b"2001:db8::7]:80",
            b"\xff",
            b"",
        ] {
            let line = [b"198.51.100.1, ", last].concat();
            check(&[&line], "127.0.0.1");
            let line = [last, b", 10.0.0.2"].concat();
            check(&[b"198.51.100.1", &line], "127.0.0.1");
        }
    }

    #[test]
    fn requests_without_a_client_count_as_the_proxy() {
        check(&[], "127.0.0.1");
        check(&[b"10.0.0.2, 127.0.0.1"], "127.0.0.1");
    }

    #[test]
    fn an_ipv6_client_is_its_64_network() {
        check(&[b"2001:db8:0:1:aaaa::1"], "2001:db8:0:1::/64");
        check(&[b"2001:db8:0:1:bbbb::2"], "2001:db8:0:1::/64");
        check(&[b"2001:db8:0:2::1"], "2001:db8:0:2::/64");
    }

    #[test]
    fn only_a_direct_connection_from_this_machine_is_local() {
        let proxies = Proxies::new(&["10.0.0.2".parse().unwrap()]);
        let arrival = |it: &str| proxies.arrival(it.parse().unwrap());
        for own in ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(arrival(own), Arrival::Direct(Peer::Local), "{own}");
        }
        let far = arrival("203.0.113.7");
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "127.0.0.1".parse().unwrap());
        // Headers from an untrusted address are not read.
        assert_eq!(proxies.client(far, &headers).to_string(), "203.0.113.7");
        assert!(matches!(arrival("10.0.0.2"), Arrival::Proxied { .. }));
    }
}
