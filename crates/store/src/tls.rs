//! TLS to PostgreSQL, as requested in the URL by `sslmode` and `sslrootcert`.
//!
//! The library that parses URLs knows neither the modes that verify certificates nor the file of
//! root certificates, so both are removed from the URL here. They have the same meaning as in
//! PostgreSQL's own programs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use postgres::Config;
use postgres::config::{Host, SslMode};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, OtherError, RootCertStore,
    SignatureScheme,
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::StoreError;

/// A parsed PostgreSQL URL.
pub(crate) struct PostgresUrl {
    /// Everything that the library parses itself, with the mode that it must use.
    pub(crate) config: Config,
    /// The certificates to trust, unless TLS is off.
    trust: Option<Trust>,
}

/// The servers to trust.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Trust {
    /// Any server: the connection is encrypted, and nothing more.
    Anyone,
    /// A server whose certificate is signed by a root in this file, or is in the file itself.
    Roots { file: PathBuf, names: Names },
}

/// The names that a certificate may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    Any,
    /// The name of the host in the URL.
    Host,
}

impl PostgresUrl {
    /// Parses a URL. The error does not quote the URL, which may contain a password.
    pub(crate) fn parse(url: &str) -> Result<PostgresUrl, String> {
        let Parts { rest, mode, roots } = Parts::of(url)?;
        let mut config: Config = rest
            .parse()
            .map_err(|_| "this PostgreSQL URL cannot be parsed".to_owned())?;
        let (ssl_mode, trust) = match (mode.as_deref().unwrap_or("prefer"), roots) {
            ("disable", _) => (SslMode::Disable, None),
            ("prefer", _) => (SslMode::Prefer, Some(Trust::Anyone)),
            ("require", None) => (SslMode::Require, Some(Trust::Anyone)),
            // With roots, `require` has always verified them.
            ("require" | "verify-ca", Some(file)) => {
                (SslMode::Require, Some(Trust::roots(file, Names::Any)))
            }
            ("verify-full", Some(file)) => {
                (SslMode::Require, Some(Trust::roots(file, Names::Host)))
            }
            ("verify-ca" | "verify-full", None) => {
                return Err("this sslmode needs sslrootcert=FILE, with the certificates of the authorities to trust".to_owned());
            }
            _ => {
                return Err("this sslmode is unknown; use disable, prefer, require, verify-ca or verify-full".to_owned());
            }
        };
        config.ssl_mode(ssl_mode);
        let is_socket = |host: &Host| matches!(host, Host::Unix(_));
        let hosts = config.get_hosts();
        if !hosts.is_empty() && hosts.iter().all(is_socket) {
            // A socket on this machine has no TLS, whatever the URL says.
            config.ssl_mode(SslMode::Disable);
            return Ok(PostgresUrl {
                config,
                trust: None,
            });
        }
        Ok(PostgresUrl { config, trust })
    }

    /// The connector for TLS; `None` if TLS is off. Reads the file of root certificates.
    pub(crate) fn connector(&self) -> Result<Option<MakeRustlsConnect>, StoreError> {
        let Some(trust) = &self.trust else {
            return Ok(None);
        };
        let provider = Arc::new(ring::default_provider());
        let verifier = trust.verifier(&provider).map_err(unavailable)?;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| unavailable(error.to_string()))?;
        let mut config = builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"postgresql".to_vec()];
        Ok(Some(MakeRustlsConnect::new(config)))
    }
}

fn unavailable(message: String) -> StoreError {
    StoreError::Unavailable { message }
}

/// A URL with our own parameters removed.
struct Parts {
    rest: String,
    mode: Option<String>,
    roots: Option<PathBuf>,
}

impl Parts {
    fn of(url: &str) -> Result<Parts, String> {
        let (rest, query) = url.split_once('?').unwrap_or((url, ""));
        let mut parts = Parts {
            rest: rest.to_owned(),
            mode: None,
            roots: None,
        };
        let mut kept = Vec::new();
        for pair in query.split('&').filter(|it| !it.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", mode)) => parts.mode = Some(mode.to_owned()),
                Some(("sslrootcert", file)) => {
                    let file = decode(file).filter(|it| !it.is_empty());
                    let file = file.ok_or("sslrootcert is not the path of a file")?;
                    parts.roots = Some(PathBuf::from(file));
                }
                _ => kept.push(pair),
            }
        }
        if !kept.is_empty() {
            parts.rest.push('?');
            parts.rest.push_str(&kept.join("&"));
        }
        Ok(parts)
    }
}

/// A percent-decoded value of a URL.
fn decode(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        out.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(out).ok()
}

impl Trust {
    fn roots(file: PathBuf, names: Names) -> Trust {
        Trust::Roots { file, names }
    }

    fn verifier(&self, provider: &Arc<CryptoProvider>) -> Result<Verifier, String> {
        let believed = match self {
            Trust::Anyone => None,
            Trust::Roots { file, names } => Some(Believed::read(file, *names, provider)?),
        };
        Ok(Verifier {
            provider: Arc::clone(provider),
            believed,
        })
    }
}

/// The certificates in a file of roots.
#[derive(Debug)]
struct Believed {
    chains: Arc<WebPkiServerVerifier>,
    certificates: Vec<CertificateDer<'static>>,
    names: Names,
}

impl Believed {
    fn read(file: &Path, names: Names, provider: &Arc<CryptoProvider>) -> Result<Believed, String> {
        let wrong = |what: String| format!("sslrootcert {}: {what}", file.display());
        let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
        let certificates: Vec<CertificateDer<'static>> =
            read.map_err(|error| wrong(error.to_string()))?;
        let mut roots = RootCertStore::empty();
        for certificate in &certificates {
            let added = roots.add(certificate.clone());
            added.map_err(|error| wrong(error.to_string()))?;
        }
        let chains =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
        let chains = chains.build();
        Ok(Believed {
            chains: chains.map_err(|_| wrong("it contains no PEM certificate".to_owned()))?,
            certificates,
            names,
        })
    }

    fn check(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<(), rustls::Error> {
        let checked = self
            .chains
            .verify_server_cert(certificate, between, host, &[], now);
        let Err(rustls::Error::InvalidCertificate(fault)) = checked else {
            return checked.map(drop);
        };
        match (&fault, self.names) {
            // The chain was verified before the name.
            (
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
                Names::Any,
            ) => Ok(()),
            // A self-signed certificate is its own authority. Its dates were checked before its
            // use.
            (CertificateError::Other(other), names)
                if is_own_authority(other) && self.certificates.contains(certificate) =>
            {
                match names {
                    Names::Any => Ok(()),
                    Names::Host => {
                        verify_server_name(&ParsedCertificate::try_from(certificate)?, host)
                    }
                }
            }
            _ => Err(rustls::Error::InvalidCertificate(fault)),
        }
    }
}

fn is_own_authority(fault: &OtherError) -> bool {
    fault.0.downcast_ref() == Some(&webpki::Error::CaUsedAsEndEntity)
}

/// Verifies the certificate of a server.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    /// `None` if any certificate is accepted.
    believed: Option<Believed>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(believed) = &self.believed {
            believed.check(certificate, between, host, now)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> Result<(SslMode, Option<Trust>), String> {
        let url = format!("postgres://me:secret@db.example:5433/x{query}");
        let read = PostgresUrl::parse(&url)?;
        assert_eq!(read.config.get_ports(), [5433]);
        Ok((read.config.get_ssl_mode(), read.trust))
    }

    #[test]
    fn each_mode_has_the_same_meaning_as_in_postgresql() {
        let anyone = Some(Trust::Anyone);
        let roots = |names| Some(Trust::roots("/etc/my ca.pem".into(), names));
        for (query, expected) in [
            ("", (SslMode::Prefer, anyone.clone())),
            ("?sslmode=prefer", (SslMode::Prefer, anyone.clone())),
            ("?sslmode=require", (SslMode::Require, anyone)),
            ("?sslmode=disable", (SslMode::Disable, None)),
            (
                "?application_name=a&sslmode=require&sslrootcert=%2Fetc/my%20ca.pem",
                (SslMode::Require, roots(Names::Any)),
            ),
            (
                "?sslrootcert=/etc/my ca.pem&sslmode=verify-ca&connect_timeout=3",
                (SslMode::Require, roots(Names::Any)),
            ),
            (
                "?sslmode=verify-full&sslrootcert=/etc/my ca.pem",
                (SslMode::Require, roots(Names::Host)),
            ),
        ] {
            assert_eq!(parse(query), Ok(expected), "{query}");
        }
    }

    #[test]
    fn an_invalid_url_is_refused_without_showing_the_password() {
        for (query, why) in [
            ("?sslmode=verify-full", "needs sslrootcert=FILE"),
            ("?sslmode=verify-ca", "needs sslrootcert=FILE"),
            ("?sslmode=always", "use disable, prefer"),
            ("?sslmode=allow", "use disable, prefer"),
            ("?sslrootcert=%zz", "not the path of a file"),
            ("?sslrootcert=", "not the path of a file"),
            ("?nonsense=1", "cannot be parsed"),
        ] {
            let error = parse(query).unwrap_err();
            assert!(error.contains(why), "{query}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_socket_on_this_machine_has_no_tls() {
        let url = "postgres://me@%2Frun%2Fpostgresql/x?sslmode=require";
        let read = PostgresUrl::parse(url).unwrap();
        assert_eq!(read.config.get_ssl_mode(), SslMode::Disable);
        assert!(read.connector().unwrap().is_none());
    }
}
