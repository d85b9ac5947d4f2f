//! The content of a line.

use kernel::json::Json;
use kernel::record::{Recorder, verify};
use kernel::rng::GeneratorKind;
use kernel::{MatchId, Seat, Step, Timestamp};

use crate::matches::{armada, documents, generator, open_source, origin, play, smugglers};
use crate::toys::armada::{self, Armada};
use crate::toys::smugglers::Smugglers;

fn kind(line: &Json) -> Option<&str> {
    line.get("type").and_then(Json::as_text)
}

#[test]
fn a_discard_of_several_goods_is_one_line() {
    let n_goods = |line: &Json| -> i128 {
        let goods = line.pointer("/payload/goods").and_then(Json::as_object);
        goods.unwrap().values().filter_map(Json::as_int).sum()
    };
    let setup = crate::toys::smugglers::Setup {
        max_turns: 60,
        ..smugglers()
    };
    let played = play::<Smugglers>(&setup, open_source(8), None, 8);
    let lines = documents(&played.record);
    let discards = lines.iter().filter(|line| kind(line) == Some("DISCARD"));
    let sizes: Vec<i128> = discards.map(n_goods).collect();
    assert!(sizes.iter().any(|&n| n > 1), "{sizes:?}");
    assert!(lines.len() < played.steps.len(), "steps share lines");
    verify::<Smugglers>(&played.record).unwrap();
}

#[test]
fn dice_are_recorded_as_faces_and_goods_by_name() {
    let played = play::<Smugglers>(&smugglers(), open_source(3), None, 3);
    let lines = documents(&played.record);
    assert_eq!(kind(&lines[1]), Some("ROLL"));
    let chance = lines[1].pointer("/result/chance").unwrap();
    let [faces, good] = chance.as_list().unwrap() else {
        panic!("expected a roll and a good, found {chance}");
    };
    let faces: Vec<i128> = faces
        .as_list()
        .unwrap()
        .iter()
        .filter_map(Json::as_int)
        .collect();
    assert!(faces.len() == 2 && faces.iter().all(|face| (1..=6).contains(face)));
    assert!(["rum", "salt", "silk", "tea"].contains(&good.as_text().unwrap()));
}

#[test]
fn orders_composed_at_the_same_time_get_separate_lines() {
    use armada::Action::{Choose, Done, Target};
    let third = Seat::new(2).unwrap();
    let setup = armada();
    let game_id = MatchId::draw(&mut generator(GeneratorKind::Pcg64, 0));
    let at = Timestamp::SIMULATED;
    let mut recorder = Recorder::<Armada>::begin(&setup, game_id, origin(1), &[], at);
    for (seat, action) in [
        // No other seat acts between these two.
        (Seat::SECOND, Choose(1)),
        (Seat::SECOND, Target(2)),
        // The second seat is done while the first is in the middle of an order.
        (Seat::FIRST, Choose(0)),
        (Seat::SECOND, Done),
        (third, Choose(3)),
        (Seat::FIRST, Target(1)),
        (Seat::FIRST, Done),
    ] {
        recorder.apply(Step::Play(seat, action), at).unwrap();
    }
    // A seat that is done gets its line immediately, even while others are in the middle.
    let written = documents(&recorder.take());
    let said: Vec<String> = written[1..]
        .iter()
        .map(|line| {
            let payload = line.get("payload").unwrap();
            format!(
                "{} {} {payload}",
                line.get("player_id").unwrap(),
                kind(line).unwrap()
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            r#"1 ORDER {"from": 1, "to": 2}"#,
            r#"0 ORDER {"from": 0}"#,
            r"1 DONE {}",
            r#"2 ORDER {"from": 3}"#,
            r#"0 ORDER {"to": 1}"#,
            r"0 DONE {}",
        ]
    );
}

#[test]
fn a_clock_that_is_set_back_does_not_break_the_record() {
    let setup = armada();
    let game_id = MatchId::draw(&mut generator(GeneratorKind::Pcg64, 0));
    let late = Timestamp::SIMULATED.plus_ms(5000);
    let mut recorder = Recorder::<Armada>::begin(&setup, game_id, origin(1), &[], late);
    recorder.apply(Step::Deadline, late.plus_ms(1000)).unwrap();
    recorder.apply(Step::Deadline, late.plus_ms(-4000)).unwrap();
    let record = recorder.finish();
    verify::<Armada>(&record).unwrap();
    let times: Vec<Json> = documents(&record)[1..3]
        .iter()
        .map(|line| line.get("timestamp_utc").unwrap().clone())
        .collect();
    assert_eq!(times[0], times[1]);
}
