//! TLS to a PostgreSQL server that presents several kinds of certificates.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::Home;
use postgres::{Client, NoTls};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use store::{Place, Store};

// Promise: A PostgreSQL connection is as protected as its URL asks for.
/// A single test, because the certificate belongs to the whole server.
#[test]
fn every_sslmode_is_honored() {
    let Some(home) = Home::postgres() else {
        return;
    };
    let mut server = TlsServer::of(&home);
    assert_eq!(server.open("localhost", "sslmode=disable"), Ok(Plain));
    assert_eq!(server.open("localhost", ""), Ok(Plain));
    let refused = server.open("localhost", "sslmode=require").unwrap_err();
    assert!(refused.contains("does not support TLS"), "{refused}");

    let other = server.write("other.pem", &self_signed(IsCa::NoCa, 2100).0);
    for ca in [IsCa::NoCa, IsCa::Ca(BasicConstraints::Unconstrained)] {
        let (certificate, key) = self_signed(ca, 2100);
        let roots = server.show("own", &certificate, &key);
        server.check_modes(&roots, &other);
    }

    let (authority, certificate, key) = signed_by_authority();
    let roots = server.write("authority.pem", &authority);
    server.show("signed", &certificate, &key);
    server.check_modes(&roots, &other);
    server.check_reconnects(&roots);

    for ca in [IsCa::NoCa, IsCa::Ca(BasicConstraints::Unconstrained)] {
        let (certificate, key) = self_signed(ca, 2020);
        let roots = server.show("expired", &certificate, &key);
        assert_eq!(server.open("localhost", "sslmode=require"), Ok(Encrypted));
        let query = format!("sslmode=verify-ca&sslrootcert={}", roots.display());
        let refused = server.open("localhost", &query).unwrap_err();
        assert!(refused.to_lowercase().contains("expired"), "{refused}");
    }
}

/// The protection of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wire {
    Plain,
    Encrypted,
}
use Wire::{Encrypted, Plain};

struct TlsServer {
    admin: Client,
    port: String,
    /// The options that give a test its own schema.
    options: String,
    folder: PathBuf,
    n_opened: u32,
}

impl TlsServer {
    fn of(home: &Home) -> TlsServer {
        let url = std::env::var("REFEREE_TEST_POSTGRES_URL").unwrap();
        let mut admin = Client::connect(&url, NoTls).unwrap();
        let mut setting = |name: &str| -> String {
            let row = admin.query_one(&format!("SHOW {name}"), &[]).unwrap();
            row.get(0)
        };
        assert_eq!(setting("listen_addresses"), "127.0.0.1");
        let port = setting("port");
        let Place::Postgres(url) = &home.place else {
            unreachable!()
        };
        TlsServer {
            admin,
            port,
            options: url.split_once('?').unwrap().1.to_owned(),
            folder: home.scratch(),
            n_opened: 0,
        }
    }

    /// Opens a store, and asks the server how the connection is protected.
    fn open(&mut self, host: &str, query: &str) -> Result<Wire, String> {
        let place = self.place(host, query);
        let mut store = Store::open(&place).map_err(|error| error.to_string())?;
        store.ping().unwrap();
        Ok(self.wire())
    }

    fn place(&mut self, host: &str, query: &str) -> Place {
        self.n_opened += 1;
        let (port, options, name) = (&self.port, &self.options, self.name());
        Place::Postgres(format!(
            "postgres://referee@{host}:{port}/postgres?{options}&application_name={name}&{query}"
        ))
    }

    fn name(&self) -> String {
        format!("tls-{}-{}", std::process::id(), self.n_opened)
    }

    /// The protection of the connection that was opened last.
    fn wire(&mut self) -> Wire {
        let sql = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                   WHERE application_name = $1";
        let name = self.name();
        let row = self.admin.query_one(sql, &[&name]).unwrap();
        match row.get(0) {
            true => Encrypted,
            false => Plain,
        }
    }

    /// Checks every mode with the presented certificate, which names only `localhost`.
    fn check_modes(&mut self, roots: &Path, other: &Path) {
        let roots = format!("&sslrootcert={}", roots.display());
        let other = format!("&sslrootcert={}", other.display());
        let (by_name, by_number) = ("localhost", "127.0.0.1");
        assert_eq!(self.open(by_name, "sslmode=disable"), Ok(Plain));
        assert_eq!(self.open(by_name, ""), Ok(Encrypted));
        assert_eq!(self.open(by_number, "sslmode=prefer"), Ok(Encrypted));
        assert_eq!(self.open(by_number, "sslmode=require"), Ok(Encrypted));
        for mode in ["require", "verify-ca"] {
            let with = |roots: &str| format!("sslmode={mode}{roots}");
            assert_eq!(self.open(by_number, &with(&roots)), Ok(Encrypted), "{mode}");
            self.open(by_name, &with(&other)).unwrap_err();
        }
        let full = format!("sslmode=verify-full{roots}");
        assert_eq!(self.open(by_name, &full), Ok(Encrypted));
        let refused = self.open(by_number, &full).unwrap_err();
        assert!(refused.contains("not valid for name"), "{refused}");
        let refused = self.open(by_name, &format!("sslmode=verify-full{other}"));
        refused.unwrap_err();
        let missing = "sslmode=verify-full&sslrootcert=/nowhere/roots.pem";
        let refused = self.open(by_name, missing).unwrap_err();
        assert!(refused.contains("/nowhere/roots.pem"), "{refused}");
    }

    /// Checks that a lost connection is reestablished with the same protection.
    fn check_reconnects(&mut self, roots: &Path) {
        let query = format!("sslmode=verify-full&sslrootcert={}", roots.display());
        let place = self.place("localhost", &query);
        let mut store = Store::open(&place).unwrap();
        store.claim(1).unwrap();
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE application_name = $1";
        let name = self.name();
        self.admin.query(sql, &[&name]).unwrap();
        store.commit(|_| Ok(())).unwrap();
        assert_eq!(self.wire(), Encrypted);
    }

    /// Makes the server present a certificate; returns the path of its file.
    fn show(&mut self, name: &str, certificate: &str, key: &str) -> PathBuf {
        let nth = self.n_opened;
        let certificate = self.write(&format!("{name}-{nth}.pem"), certificate);
        let key = self.write(&format!("{name}-{nth}.key"), key);
        for sql in [
            format!(
                "ALTER SYSTEM SET ssl_cert_file = '{}'",
                certificate.display()
            ),
            format!("ALTER SYSTEM SET ssl_key_file = '{}'", key.display()),
            "ALTER SYSTEM SET ssl = on".to_owned(),
            "SELECT pg_reload_conf()".to_owned(),
        ] {
            self.admin.batch_execute(&sql).unwrap();
        }
        let shown = certificate.display().to_string();
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.setting_of_new_connections("ssl_cert_file") != shown {
            assert!(
                Instant::now() < deadline,
                "the server did not reload its settings"
            );
        }
        certificate
    }

    fn setting_of_new_connections(&self, name: &str) -> String {
        let url = std::env::var("REFEREE_TEST_POSTGRES_URL").unwrap();
        let mut client = Client::connect(&url, NoTls).unwrap();
        let row = client.query_one(&format!("SHOW {name}"), &[]).unwrap();
        row.get(0)
    }

    /// Writes a file that only the server can read, because it refuses keys that others can read.
    fn write(&mut self, name: &str, text: &str) -> PathBuf {
        let row = self.admin.query_one("SHOW data_directory", &[]).unwrap();
        let owner = fs::metadata(row.get::<_, String>(0)).unwrap();
        let path = self.folder.join(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut file = options.open(&path).unwrap();
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        chown(&path, Some(owner.uid()), Some(owner.gid())).unwrap();
        path
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        for name in ["ssl", "ssl_cert_file", "ssl_key_file"] {
            self.admin
                .batch_execute(&format!("ALTER SYSTEM RESET {name}"))
                .ok();
        }
        self.admin.batch_execute("SELECT pg_reload_conf()").ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// A certificate for `localhost` that is valid until a year, with its key.
fn self_signed(is_ca: IsCa, until: i32) -> (String, String) {
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.is_ca = is_ca;
    params.not_before = date_time_ymd(2010, 1, 1);
    params.not_after = date_time_ymd(until, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    (certificate.pem(), key.serialize_pem())
}

/// An authority, and a certificate for `localhost` signed by it, with its key.
fn signed_by_authority() -> (String, String, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params
        .distinguished_name
        .push(DnType::CommonName, "an authority");
    let key = KeyPair::generate().unwrap();
    let authority = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let leaf = leaf.signed_by(&key, &issuer).unwrap();
    (authority, leaf.pem(), key.serialize_pem())
}
