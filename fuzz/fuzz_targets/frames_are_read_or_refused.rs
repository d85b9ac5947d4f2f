//! Any untrusted text either parses as a message or is refused with a code: in both framings, as
//! the body of a request, as an old event and as a game's ask. A parsed message that is written
//! again parses as the same message.
#![no_main]

use kernel::doc;
use kernel::json::Json;
use libfuzzer_sys::fuzz_target;
use orcain::Ask;
use serde_json::value::RawValue;
use wire::engineio::packets;
use wire::native::ClientMessage;
use wire::old::ClientEvent;
use wire::socketio::{ACK_ID_MAX, Packet, event_frame};
use wire::{MESSAGE_BYTES_MAX, Misread};

fuzz_target!(|text: &str| {
    read_packet(text);
    packets(text).for_each(read_packet);
    match ClientMessage::read(text) {
        Ok(ClientMessage::Ask(ask)) => read_ask(&ask.ask.0),
        Ok(_) => {}
        Err(misread) => check_refusal(text, &misread),
    }
    if let Ok(json) = kernel::json::read(text.as_bytes()) {
        read_ask(&json);
    }
});

fn read_packet(text: &str) {
    match Packet::read(text) {
        Ok(Packet::Event { name, payload, ack }) => {
            assert!(ack.is_none_or(|id| id <= ACK_ID_MAX));
            receive(&name, payload);
        }
        Ok(_) => {}
        Err(misread) => check_refusal(text, &misread),
    }
}

fn receive(name: &str, payload: Option<&RawValue>) {
    let heard = ClientEvent::read(name, payload);
    let Some(payload) = payload else { return };
    let again = event_frame(name, &payload);
    match Packet::read(&again) {
        Ok(Packet::Event { name, payload, .. }) => {
            assert_eq!(ClientEvent::read(&name, payload), heard);
        }
        // Escapes can make it exceed the length limit of a message.
        Err(Misread::TooLong) => {}
        other => panic!("{again}: {other:?}"),
    }
}

fn check_refusal(text: &str, misread: &Misread) {
    assert_eq!(
        matches!(misread, Misread::TooLong),
        text.len() > MESSAGE_BYTES_MAX
    );
    assert!(misread.to_string().len() < 1_000);
}

fn read_ask(json: &Json) {
    match doc::parse::<Ask>(json) {
        Ok(Ask::Draft(slots) | Ask::Confirm(slots)) => {
            assert!(slots.is_some_and(|slots| slots.len() <= 4));
        }
        Err(faults) => assert!(!faults.is_empty()),
    }
}
