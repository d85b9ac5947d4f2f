//! `referee scenario`, and the commands that play scenarios, tested through the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue must fail")]

mod command;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use command::scratch;
use serde_json::Value;

fn referee(args: &[&str], input: &str) -> Output {
    command::run(&[&["scenario"], args].concat(), input)
}

fn output_of(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_generated_scenario_is_valid_and_has_a_map() {
    let dir = scratch("scenario-generate");
    let (file, svg) = (shown(&dir.join("war.json")), shown(&dir.join("war.svg")));
    let made = referee(
        &[
            "generate",
            "--topology",
            "spiral",
            "--systems",
            "50",
            "--factions",
            "3",
            "--seed",
            "4",
            "--out",
            &file,
        ],
        "",
    );
    assert_eq!(output_of(&made), (Some(0), String::new(), String::new()));
    let (code, out, _) = output_of(&referee(&["validate", &file], ""));
    assert_eq!(
        (code, out.trim_end()),
        (
            Some(0),
            format!("{file}: valid, 0 errors, 0 warnings").as_str()
        )
    );
    let (code, _, error) = output_of(&referee(&["map", &file, "--svg", &svg], ""));
    assert_eq!(code, Some(0), "{error}");
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

#[test]
fn all_findings_of_invalid_scenarios_are_reported_with_exit_code_1() {
    let dir = scratch("scenario-validate");
    let bad = shown(&dir.join("bad.json"));
    let (_, text, _) = output_of(&referee(&["show", "skirmish"], ""));
    let text = text.replace("\"ring\"", "\"flat\"").replace("0.55", "6");
    fs::write(&bad, text).unwrap();
    let (code, out, _) = output_of(&referee(&["validate", &bad], ""));
    assert_eq!(code, Some(1));
    assert!(out.contains("refused, 2 errors"), "{out}");
    assert!(
        out.contains("percentage_out_of_range  /objectives/victory/1/percentage"),
        "{out}"
    );
    let one = shown(&dir.join("one.json"));
    let (_, text, _) = output_of(&referee(&["show", "skirmish"], ""));
    let text = text.replace("0.55", "6");
    fs::write(
        &one,
        text.replace("\"id\": \"skirmish\"", "\"id\": \"Skirmish\""),
    )
    .unwrap();
    let (_, out, _) = output_of(&referee(&["validate", &one], ""));
    assert!(out.contains("refused, 1 error, 0 warnings"), "{out}");
    fs::write(
        &one,
        fs::read_to_string(&one).unwrap().replace(": 6", ": 0.55"),
    )
    .unwrap();
    let (_, out, _) = output_of(&referee(&["validate", &one], ""));
    assert!(out.contains("valid, 0 errors, 1 warning\n"), "{out}");
    let (code, out, _) = output_of(&referee(&["validate", "--json", &bad, "nowhere.json"], ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(1));
    assert_eq!(report[0]["findings"][0]["pointer"], "/generation/topology");
    assert_eq!(report[1]["findings"][0]["code"], "not_json");
}

#[test]
fn an_older_scenario_is_upgraded() {
    let dir = scratch("scenario-upgrade");
    let old = shown(&dir.join("old.json"));
    let (_, text, _) = output_of(&referee(&["show", "skirmish"], ""));
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["objectives"] = serde_json::json!({
        "win": [{"type": "domination", "value": 65}], "maxTurns": 30
    });
    fs::write(&old, document.to_string()).unwrap();
    let (code, out, error) = output_of(&referee(&["upgrade", &old], ""));
    let upgraded: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(upgraded["objectives"]["victory"][0]["percentage"], 0.65);
    assert_eq!(
        error.lines().count(),
        3,
        "a warning for each change: {error}"
    );
}

#[test]
fn a_scenario_is_created_interactively() {
    let answers = "Test War\ncluster\n40\n2\n\n0.7\n";
    let (code, out, error) = output_of(&referee(&["new"], answers));
    assert_eq!(code, Some(0), "{error}");
    let made: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(made["id"], "test_war");
    assert_eq!(made["generation"]["topology"], "cluster");
    assert_eq!(made["objectives"]["victory"][0]["percentage"], 0.7);
    assert_eq!(made["objectives"]["constraints"]["maxTurns"], 100);
}

#[test]
fn the_schema_and_the_shipped_scenarios_are_printed() {
    let (code, out, _) = output_of(&referee(&["schema"], ""));
    let schema: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &schema["title"]),
        (Some(0), &Value::from("A Stellar Fleet scenario"))
    );
    let (_, list, _) = output_of(&referee(&["show"], ""));
    assert_eq!(list.lines().count(), 9);
    let (code, _, error) = output_of(&referee(&["show", "nothing"], ""));
    assert_eq!(code, Some(2));
    assert!(error.contains("no scenario \"nothing\" ships with the game"));
}

/// Runs a command that must succeed and returns its output.
fn done(args: &[&str], input: &str) -> String {
    let (code, out, error) = output_of(&command::run(args, input));
    assert_eq!(code, Some(0), "{args:?}: {error}");
    out
}

#[test]
fn a_generated_scenario_is_played_and_its_records_are_valid() {
    let dir = scratch("scenario-played");
    let (file, records) = (shown(&dir.join("g.json")), shown(&dir.join("r")));
    done(&["scenario", "generate", "--out", &file], "");
    done(&["scenario", "validate", &file], "");
    let seats = "balanced,defensive";
    let simulate = ["simulate", "stellar", "--games", "2", "--seats", seats];
    done(
        &[&simulate[..], &["--scenario", &file, "--out", &records]].concat(),
        "",
    );
    assert!(done(&["verify", &records], "").contains("2 valid, 0 invalid"));
    let record = fs::read_to_string(Path::new(&records).join("stellar-00000000.jsonl")).unwrap();
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    assert_eq!(
        header["setup"]["scenario"]["objectives"]["victory"][0]["percentage"], "0.6",
        "records contain no floats"
    );
    let setup = shown(&dir.join("setup.json"));
    fs::write(&setup, header["setup"].to_string()).unwrap();
    let again = shown(&dir.join("again"));
    done(
        &[&simulate[..], &["--setup", &setup, "--out", &again]].concat(),
        "",
    );
    let copy = fs::read_to_string(Path::new(&again).join("stellar-00000000.jsonl")).unwrap();
    assert_eq!(copy, record, "a record's setup can be used as a setup");
}

#[test]
fn the_commands_for_a_generated_scenario_work_as_typed() {
    let dir = scratch("scenario-typed");
    let typed = "referee scenario generate --out g.json && referee scenario validate g.json && \
                 referee simulate stellar --scenario g.json --games 20 --seats balanced,defensive \
                 --out r && referee verify r";
    let mut last = String::new();
    for command in typed.split(" && ") {
        let output = Command::new(env!("CARGO_BIN_EXE_referee"))
            .args(command.split(' ').skip(1))
            .current_dir(&dir)
            .output()
            .unwrap();
        let (code, out, error) = output_of(&output);
        assert_eq!(code, Some(0), "{command}: {error}");
        last = out;
    }
    assert_eq!(last.trim_end(), "20 records: 20 valid, 0 invalid");
}

#[test]
fn every_shipped_scenario_is_played_by_name() {
    let dir = scratch("scenario-shipped");
    let list = done(&["scenario", "show"], "");
    for name in list.lines().filter_map(|line| line.split(' ').next()) {
        if name == "thousand_suns" {
            // Its matches are too long.
            done(&["describe", "stellar", "--scenario", name], "");
            continue;
        }
        let records = shown(&dir.join(name));
        let played = ["simulate", "stellar", "--games", "1", "--scenario", name];
        done(&[&played[..], &["--out", &records]].concat(), "");
        assert!(
            done(&["verify", &records], "").contains(": valid:"),
            "{name}"
        );
    }
}

// Promise: Every place that takes a setup takes a scenario as its author writes it.
#[test]
fn every_command_that_takes_a_setup_takes_a_scenario() {
    let dir = scratch("scenario-everywhere");
    let file = shown(&dir.join("small.json"));
    let text = done(&["scenario", "show", "first_orders"], "");
    fs::write(&file, &text).unwrap();
    let data = dir.join("data");
    for (nth, scenario) in [
        ["--scenario", "first_orders"],
        ["--scenario", &file],
        ["--setup", &file],
    ]
    .into_iter()
    .enumerate()
    {
        let run = |args: &[&str]| done(&[args, &scenario[..]].concat(), "");
        let described: Value =
            serde_json::from_str(&run(&["describe", "stellar", "--json"])).unwrap();
        assert_eq!(
            described["tables"]["setup"]["scenario"]["id"],
            "first_orders"
        );
        let arena = ["arena", "stellar", "--seats", "random,balanced"];
        assert!(run(&[&arena[..], &["--games", "2"]].concat()).contains("2 matches"));
        run(&["play", "stellar", "--seed", "1"]);
        let audit = ["audit", "stellar", "--games", "1", "--json"];
        let audited: Value = serde_json::from_str(&run(&audit)).unwrap();
        assert_eq!(
            (&audited["matches"], &audited["violations"]),
            (&1.into(), &0.into())
        );
        let host = [&["host", "stellar", "--snapshots"][..], &scenario].concat();
        let opened = done(&host, "{\"do\": \"open\"}");
        let opened: Value = serde_json::from_str(&opened).unwrap();
        assert_eq!(
            opened["snapshot"]["setup"]["scenario"]["id"],
            "first_orders"
        );
        let out = shown(&data.join(nth.to_string()));
        run(&["dataset", "stellar", "--games", "1", "--out", &out]);
    }
    let document: Value = serde_json::from_str(&text).unwrap();
    for setup in [
        Value::from("first_orders"),
        document.clone(),
        serde_json::json!({"scenario": document}),
    ] {
        let open = serde_json::json!({"do": "open", "setup": setup});
        let answer = done(&["host", "stellar"], &open.to_string());
        assert!(answer.contains("\"waits_for\": \"sealed\""), "{answer}");
    }
}

#[test]
fn an_invalid_scenario_is_refused_with_its_faults_wherever_it_is_played() {
    let dir = scratch("scenario-refused");
    let bad = shown(&dir.join("bad.json"));
    let text = done(&["scenario", "show", "skirmish"], "");
    fs::write(
        &bad,
        text.replace("\"ring\"", "\"flat\"").replace("0.55", "6"),
    )
    .unwrap();
    for option in ["--scenario", "--setup"] {
        let (code, _, error) = output_of(&command::run(&["simulate", "stellar", option, &bad], ""));
        assert_eq!(code, Some(1));
        for place in ["/generation/topology", "/objectives/victory/1/percentage"] {
            assert!(error.contains(place), "{error}");
        }
    }
    let refused = |args: &[&str]| {
        let (code, _, error) = output_of(&command::run(args, ""));
        assert_eq!(code, Some(2), "{error}");
        error
    };
    let error = refused(&["simulate", "stellar", "--scenario", "nothing"]);
    assert!(
        error.contains("no shipped scenario has the name \"nothing\"")
            && error.contains("three_crowns"),
        "{error}"
    );
    let error = refused(&["describe", "catan", "--scenario", "skirmish"]);
    assert!(error.contains("catan has no scenarios"), "{error}");
    let open = "{\"do\": \"open\", \"setup\": \"skirmish\"}";
    let answer = done(&["host", "orcain"], open);
    assert!(answer.contains("orcain has no scenarios"), "{answer}");
}

#[test]
fn every_match_draws_its_own_galaxy_unless_the_scenario_fixes_it() {
    let dir = scratch("scenario-galaxies");
    let records = shown(&dir.join("r"));
    let run = |args: &[&str]| -> Value {
        let out = done(&[args, &["--json", "--seed", "5"]].concat(), "");
        serde_json::from_str(&out).unwrap()
    };
    let simulate = ["simulate", "stellar", "--games", "3", "--scenario"];
    let report = run(&[&simulate[..], &["crown_of_stars", "--out", &records]].concat());
    assert_eq!(report["setups"], 3);
    assert!(done(&["verify", &records], "").contains("3 valid, 0 invalid"));
    let seed_of = |idx: u32| {
        let file = Path::new(&records).join(format!("stellar-{idx:08}.jsonl"));
        let text = fs::read_to_string(file).unwrap();
        let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        header["setup"]["seed"].as_u64().unwrap()
    };
    assert!(seed_of(0) != seed_of(1) && seed_of(1) != seed_of(2));
    let again = run(&[
        &simulate[..],
        &["crown_of_stars", "--hashes", "--threads", "3"],
    ]
    .concat());
    assert_eq!(again["final_hashes"], report["final_hashes"]);
    assert_eq!(
        run(&[&simulate[..], &["first_orders"]].concat())["setups"],
        1
    );
    let text = done(&[&simulate[..], &["crown_of_stars"]].concat(), "");
    assert!(text.contains("3 matches on 3 setups"), "{text}");

    let arena = ["arena", "stellar", "--seats", "random,balanced-1,balanced"];
    let arena = [&arena[..], &["--games", "4", "--scenario"]].concat();
    let out = shown(&dir.join("arena.jsonl"));
    let drawn = run(&[&arena[..], &["crown_of_stars", "--out", &out]].concat());
    assert_eq!((&drawn["games"], &drawn["setups"]), (&12.into(), &2.into()));
    let resumed = run(&[&arena[..], &["crown_of_stars", "--out", &out]].concat());
    assert_eq!(resumed["digest"], drawn["digest"]);
    assert_eq!(run(&[&arena[..], &["first_orders"]].concat())["setups"], 1);
}

#[test]
fn a_balance_report_has_rates_ends_lengths_and_skill() {
    let few = ["--games", "40", "--galaxies", "20", "--skill-games", "10"];
    let (code, out, error) = output_of(&referee(
        &[&["balance", "land_rush"][..], &few].concat(),
        "",
    ));
    assert_eq!((code, error.as_str()), (Some(0), ""));
    for part in [
        "land_rush · 40 matches in 20 galaxies · seed 0",
        "seat 0 blue     balanced     wins ",
        "seat 1 red      balanced     wins ",
        "ends: domination 40; draws ",
        "length: median ",
        "skill pays: skill 3 wins ",
    ] {
        assert!(out.contains(part), "{part:?} in {out}");
    }
    let json = |more: &[&str]| -> Value {
        let args = [&["balance", "land_rush", "--json"][..], &few, more].concat();
        serde_json::from_str(&output_of(&referee(&args, "")).1).unwrap()
    };
    let report = json(&["--threads", "1"]);
    assert_eq!(report, json(&["--threads", "3"]));
    assert_ne!(report, json(&["--seed", "5"]));
    assert_eq!(
        (&report["games"], &report["setups"]),
        (&40.into(), &20.into())
    );
    let wins = |seat: usize| report["seats"][seat]["wins"].as_u64().unwrap();
    assert_eq!(wins(0) + wins(1) + report["draws"].as_u64().unwrap(), 40);
    assert_eq!(report["skill"]["pays"], true);
    assert_eq!(report["factions"], serde_json::json!(["blue", "red"]));
}

#[test]
fn agents_of_a_balance_report_change_seats() {
    let few = ["--games", "40", "--skill-games", "0", "--json"];
    let agents = ["balance", "land_rush", "--agents", "balanced,balanced-1"];
    let (_, out, _) = output_of(&referee(&[&agents[..], &few].concat(), ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["rotates"], true);
    assert_eq!(
        report["seats"][0]["wins"], 20,
        "the strong agent has each seat 20 times"
    );
    assert_eq!(report.get("skill"), None);
}

#[test]
fn a_balance_report_reads_files_and_refuses_what_it_cannot_seat() {
    let dir = scratch("scenario-balance");
    let file = shown(&dir.join("war.json"));
    let made = [
        "generate",
        "--systems",
        "20",
        "--symmetry",
        "mirror",
        "--turns",
        "20",
    ];
    let made = referee(&[&made[..], &["--out", &file]].concat(), "");
    assert_eq!(made.status.code(), Some(0));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"symmetry\": \"mirror\""), "{text}");
    let few = ["--games", "10", "--skill-games", "0"];
    let (code, out, _) = output_of(&referee(&[&["balance", &file][..], &few].concat(), ""));
    assert_eq!(code, Some(0));
    assert!(
        out.contains("10 matches in 1 galaxy"),
        "the scenario fixes its seed: {out}"
    );
    for (args, wanted) in [
        (["skirmisch", "--agents", "balanced"], "no shipped scenario"),
        (["land_rush", "--agents", "a,b,c"], "--agents names 3"),
        (
            ["land_rush", "--agents", "nobody"],
            "there is no agent \"nobody\"",
        ),
    ] {
        let (code, _, error) = output_of(&referee(&[&["balance"][..], &args].concat(), ""));
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}
