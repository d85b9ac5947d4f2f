//! Rules that are easy to get wrong, and invariants.

use kernel::rng::{Generator, GeneratorKind, Seed};
use kernel::{Conserve, Draw, Game, GameExt, Mask, Seat, Step, Turn};

use crate::card::count;
use crate::state::bits;
use crate::topology::EDGE_ENDS;
use crate::*;

const ONE: Seat = Seat::FIRST;
const TWO: Seat = Seat::SECOND;

/// The edge between two vertices.
fn edge(low: u8, high: u8) -> u8 {
    let ends = [low.min(high), low.max(high)];
    EDGE_ENDS.iter().position(|it| *it == ends).unwrap() as u8
}

/// Roads along a path of vertices.
fn path(vertices: &[u8]) -> u128 {
    let pairs = vertices.windows(2);
    pairs.fold(0, |set, pair| set | 1 << edge(pair[0], pair[1]))
}

fn set(vertices: &[u8]) -> u64 {
    vertices.iter().fold(0, |set, vertex| set | 1 << vertex)
}

/// A match in which player 0 has rolled in turn 1, with these pieces and no cards.
fn board(setup: &Setup, settlements: [&[u8]; 2], roads: [u128; 2]) -> Catan {
    let mut at = Catan::start(setup);
    at.resolve(Draw(1), &mut kernel::Discard).unwrap();
    at.n_placed = 8;
    at.number = 1;
    at.rolled = true;
    at.dice = [3, 3];
    at.phase = Phase::Action;
    for idx in 0..2 {
        at.players[idx].settlements = set(settlements[idx]);
        at.players[idx].roads = roads[idx];
    }
    at.derive();
    at
}

/// Distant corners that nothing else in these tests touches.
fn plain() -> Catan {
    let roads = [
        path(&[3, 4]) | path(&[27, 28]),
        path(&[52, 53]) | path(&[36, 37]),
    ];
    board(&Setup::default(), [&[3, 27], &[53, 37]], roads)
}

fn give(at: &mut Catan, seat: Seat, cards: Hand) {
    for (kind, n) in cards.into_iter().enumerate() {
        at.bank[kind] -= n;
        at.players[seat.index()].hand[kind] += n;
    }
}

fn act(text: &str) -> Action {
    text.parse().unwrap()
}

fn legal(at: &Catan, seat: Seat, text: &str) -> bool {
    at.legal(seat).allows(act(text).id())
}

fn play(at: &mut Catan, seat: Seat, text: &str) {
    if let Err(refusal) = at.play(seat, act(text), &mut kernel::Discard) {
        panic!("{text}: {refusal} in {at}");
    }
}

fn throw(at: &mut Catan, faces: [u8; 2]) {
    at.phase = Phase::Roll;
    at.rolled = false;
    let seat = at.mover();
    play(at, seat, "roll");
    let draw = chance::draw_of(faces);
    at.resolve(draw, &mut kernel::Discard).unwrap();
}

/// Five roads of player 0 around the center, which player 1 can cut at 20.
fn cut_board(more: &[u8], other: u128) -> Catan {
    let mut way = vec![31, 32, 20, 19, 18, 30];
    way.extend(more);
    let mut at = board(
        &Setup::default(),
        [&[31], &[34]],
        [path(&way), path(&[20, 21, 22, 34]) | other],
    );
    at.road_owner = Some(ONE);
    at.current = 1;
    at.number = 2;
    give(&mut at, TWO, SETTLEMENT_COST);
    at
}

#[test]
fn longest_road_is_lost_when_cut_below_five() {
    let mut at = cut_board(&[], 0);
    assert_eq!((at.road_len(ONE), at.public_points(ONE)), (5, 3));
    play(&mut at, TWO, "settle:20");
    assert_eq!(at.road_len(ONE), 3);
    assert_eq!(at.longest_road_owner(), None, "no title is kept below five");
    assert_eq!(at.public_points(ONE), 1);
}

#[test]
fn the_title_is_lost_below_five_even_by_the_longest_road() {
    // Cut to four, still longer than the opponent's three.
    let mut at = cut_board(&[29], 0);
    assert_eq!((at.road_len(ONE), at.road_len(TWO)), (6, 3));
    play(&mut at, TWO, "settle:20");
    assert_eq!((at.road_len(ONE), at.road_len(TWO)), (4, 3));
    assert_eq!(at.longest_road_owner(), None);
}

#[test]
fn the_holder_keeps_the_longest_road_in_a_tie_after_a_cut() {
    let mut at = cut_board(&[29, 39], path(&[34, 35, 36]));
    assert_eq!((at.road_len(ONE), at.road_len(TWO)), (7, 5));
    play(&mut at, TWO, "settle:20");
    assert_eq!((at.road_len(ONE), at.road_len(TWO)), (5, 5));
    assert_eq!(at.longest_road_owner(), Some(ONE));
}

#[test]
fn the_opponent_takes_the_longest_road_when_a_cut_makes_theirs_longer() {
    let mut at = cut_board(&[], path(&[34, 35, 36]));
    play(&mut at, TWO, "settle:20");
    assert_eq!(at.longest_road_owner(), Some(TWO));
    assert_eq!(at.public_points(TWO), 4);
}

#[test]
fn a_road_may_end_at_an_enemy_building_but_not_continue_past_it() {
    let at = board(
        &Setup::default(),
        [&[31], &[20]],
        [path(&[31, 32, 20]), path(&[20, 21])],
    );
    assert_eq!(at.road_len(ONE), 2, "the road up to the building counts");
    assert_eq!(at.players[0].road_spots & (1 << edge(19, 20)), 0);
    assert_ne!(at.players[0].road_spots & (1 << edge(32, 33)), 0);
}

#[test]
fn three_roads_meeting_at_a_point_are_two_long() {
    let roads = path(&[31, 32, 33]) | path(&[32, 20]);
    let at = board(&Setup::default(), [&[31], &[3]], [roads, path(&[3, 4])]);
    assert_eq!(at.road_len(ONE), 2);
}

#[test]
fn a_ring_with_a_tail_counts_in_full() {
    let ring = path(&[31, 32, 20, 19, 18, 30, 31]);
    assert_eq!(road::longest(ring, 0), 6);
    assert_eq!(road::longest(ring | path(&[20, 21]), 0), 7);
    assert_eq!(
        road::longest(ring, set(&[31])),
        6,
        "a ring may begin at the building"
    );
    assert_eq!(road::longest(ring, set(&[31, 19])), 3);
}

#[test]
fn a_sole_claimant_takes_what_a_short_bank_has() {
    // Tile 3 yields wool on a six; its corners are 33, 34, 22, 21, 20, 32.
    let mut at = board(
        &Setup::default(),
        [&[33, 20], &[3]],
        [path(&[33, 34]) | path(&[20, 21]), path(&[3, 4])],
    );
    give(&mut at, TWO, [0, 0, 18, 0, 0]);
    throw(&mut at, [3, 3]);
    assert_eq!(at.hand(ONE)[2], 1, "two claimed, one left");
    assert_eq!(at.bank()[2], 0);
}

#[test]
fn several_claimants_of_a_short_bank_get_nothing() {
    let mut at = board(
        &Setup::default(),
        [&[33], &[20]],
        [path(&[33, 34]), path(&[20, 21])],
    );
    give(&mut at, TWO, [0, 0, 18, 0, 0]);
    throw(&mut at, [3, 3]);
    assert_eq!((at.hand(ONE)[2], at.hand(TWO)[2], at.bank()[2]), (0, 18, 1));
}

#[test]
fn the_robber_blocks_its_tile() {
    let mut at = board(
        &Setup::default(),
        [&[33], &[3]],
        [path(&[33, 34]), path(&[3, 4])],
    );
    at.robber = 3;
    throw(&mut at, [3, 3]);
    assert_eq!(at.hand(ONE), [0; 5]);
}

/// Puts a card from the deck into a hand.
fn deal_card(at: &mut Catan, seat: Seat, dev: Dev) {
    let n = usize::from(at.n_deck);
    let place = at.deck[..n].iter().position(|&it| it == dev as u8).unwrap();
    at.deck.copy_within(place + 1..n, place);
    at.deck[n - 1] = 0;
    at.n_deck -= 1;
    at.players[seat.index()].devs[dev as usize] += 1;
}

#[test]
fn road_building_with_one_piece_left_builds_one_road() {
    let mut at = plain();
    let ring = path(&[31, 32, 20, 19, 18, 30, 31]) | path(&[32, 33, 34, 22, 21, 20]);
    at.players[0].roads |= ring | path(&[33, 44]);
    at.players[0].settlements |= set(&[31]);
    at.derive();
    assert_eq!(at.players[0].roads.count_ones(), 14);
    deal_card(&mut at, ONE, Dev::RoadBuilding);
    play(&mut at, ONE, "roads");
    assert_eq!((at.phase(), at.free_roads), (Phase::RoadBuilding, 1));
    let spot = bits(at.players[0].road_spots).next().unwrap();
    play(&mut at, ONE, &format!("free-road:{spot}"));
    assert_eq!(at.phase(), Phase::Action);
    assert_eq!(at.players[0].roads.count_ones(), ROADS_MAX);
    at.dev_played = false;
    deal_card(&mut at, ONE, Dev::RoadBuilding);
    assert!(!legal(&at, ONE, "roads"), "no piece is left");
}

#[test]
fn road_building_with_one_edge_left_builds_one_road() {
    // Player 0 sits in the corner at 4: 3-4-5, closed in by player 1 at 2 and at 16.
    let mut at = board(
        &Setup::default(),
        [&[4], &[2, 16]],
        [
            path(&[3, 4]),
            path(&[1, 2]) | path(&[2, 3]) | path(&[16, 17]),
        ],
    );
    at.players[1].roads |= 1 << edge(0, 5);
    at.players[1].roads |= 1 << edge(5, 16);
    at.derive();
    assert_eq!(at.players[0].road_spots, 1 << edge(4, 5));
    deal_card(&mut at, ONE, Dev::RoadBuilding);
    play(&mut at, ONE, "roads");
    play(&mut at, ONE, &format!("free-road:{}", edge(4, 5)));
    assert_eq!((at.phase(), at.free_roads), (Phase::Action, 0));
}

#[test]
fn free_roads_are_legal_only_while_they_are_due() {
    let at = plain();
    let spot = bits(at.players[0].road_spots).next().unwrap();
    assert!(!legal(&at, ONE, &format!("free-road:{spot}")));
}

#[test]
fn year_of_plenty_takes_what_a_nearly_empty_bank_has() {
    let mut at = plain();
    deal_card(&mut at, ONE, Dev::YearOfPlenty);
    give(&mut at, TWO, [19, 19, 19, 19, 17]);
    assert!(legal(&at, ONE, "plenty:ORE+ORE"));
    assert!(!legal(&at, ONE, "plenty:ORE") && !legal(&at, ONE, "plenty:BRICK+ORE"));
    give(&mut at, TWO, [0, 0, 0, 0, 1]);
    assert!(legal(&at, ONE, "plenty:ORE") && !legal(&at, ONE, "plenty:ORE+ORE"));
    play(&mut at, ONE, "plenty:ORE");
    assert_eq!((at.hand(ONE)[4], at.bank()[4]), (1, 0));
    at.dev_played = false;
    deal_card(&mut at, ONE, Dev::YearOfPlenty);
    assert!(
        at.legal(ONE)
            .iter()
            .all(|id| { !matches!(Action::with_id(id), Some(Action::PlayYearOfPlenty(_))) })
    );
}

#[test]
fn a_card_bought_this_turn_waits_and_an_older_one_does_not() {
    let mut at = plain();
    give(&mut at, ONE, [0, 0, 2, 2, 2]);
    let n = usize::from(at.n_deck);
    let knights: Vec<usize> = (0..n).filter(|&idx| at.deck[idx] == 0).collect();
    at.deck.swap(n - 1, knights[0]);
    play(&mut at, ONE, "buy");
    assert_eq!(at.players[0].new_devs[0], 1);
    assert!(!legal(&at, ONE, "knight"), "bought this turn");
    deal_card(&mut at, ONE, Dev::Knight);
    assert!(legal(&at, ONE, "knight"), "an older one is playable");
    play(&mut at, ONE, "knight");
    play(&mut at, ONE, "robber:1");
    deal_card(&mut at, ONE, Dev::Knight);
    assert!(!legal(&at, ONE, "knight"), "one card per turn");
    play(&mut at, ONE, "end");
    assert_eq!((at.players[0].new_devs[0], at.players[0].devs[0]), (0, 2));
}

#[test]
fn a_knight_may_be_played_before_the_roll_and_causes_no_discard() {
    let mut at = plain();
    deal_card(&mut at, ONE, Dev::Knight);
    give(&mut at, TWO, [10, 10, 0, 0, 0]);
    at.phase = Phase::Roll;
    at.rolled = false;
    play(&mut at, ONE, "knight");
    assert_eq!(at.phase(), Phase::MoveRobber);
    // Tile 8 has vertex 53, where player 1 has a building.
    play(&mut at, ONE, "robber:8");
    assert_eq!(at.turn(), Turn::Chance);
    assert_eq!(
        at.odds().probability(Draw(0)),
        Some((10, 20)),
        "uniform over the cards"
    );
    assert!(!at.odds().admits(Draw(2)), "only held cards can be stolen");
    at.resolve(Draw(1), &mut kernel::Discard).unwrap();
    assert_eq!((at.hand(ONE)[1], at.hand(TWO)[1]), (1, 9));
    assert_eq!(at.phase(), Phase::Roll);
}

#[test]
fn a_hidden_point_wins_at_once() {
    let mut at = plain();
    at.setup.0.vp_to_win = 3;
    give(&mut at, ONE, DEV_COST);
    let n = usize::from(at.n_deck);
    let point = at.deck[..n].iter().position(|&it| it == 4).unwrap();
    at.deck.swap(n - 1, point);
    play(&mut at, ONE, "buy");
    assert_eq!(at.ending(), Some(Ending::Won(ONE, Win::Points)));
    assert_eq!((at.public_points(ONE), at.points(ONE)), (2, 3));
}

#[test]
fn monopoly_takes_all_even_if_that_is_nothing() {
    let mut at = plain();
    deal_card(&mut at, ONE, Dev::Monopoly);
    give(&mut at, TWO, [3, 0, 0, 0, 0]);
    let mut twin = at;
    play(&mut at, ONE, "monopoly:BRICK");
    assert_eq!((at.hand(ONE)[0], at.hand(TWO)[0]), (3, 0));
    play(&mut twin, ONE, "monopoly:ORE");
    assert_eq!((twin.hand(ONE), twin.hand(TWO)), ([0; 5], [3, 0, 0, 0, 0]));
    assert!(twin.dev_played);
}

#[test]
fn nine_cards_are_kept_and_ten_are_halved() {
    let mut at = plain();
    give(&mut at, ONE, [9, 0, 0, 0, 0]);
    give(&mut at, TWO, [10, 1, 0, 0, 0]);
    throw(&mut at, [1, 6]);
    assert_eq!(at.phase(), Phase::Discard);
    assert_eq!(at.turn(), Turn::Seat(TWO), "nine cards are not too many");
    assert_eq!(at.discards[1].left, 5, "half of eleven, rounded down");
    for _ in 0..5 {
        play(&mut at, TWO, "discard:BRICK");
    }
    assert_eq!(
        (at.phase(), at.turn()),
        (Phase::MoveRobber, Turn::Seat(ONE))
    );
    let mut ten = plain();
    give(&mut ten, ONE, [10, 0, 0, 0, 0]);
    throw(&mut ten, [2, 5]);
    assert_eq!(ten.discards[0].left, 5);
}

#[test]
fn discarding_to_the_threshold_leaves_nine() {
    let mut at = plain();
    at.setup.0.discard_rule = DiscardRule::ToThreshold;
    give(&mut at, ONE, [12, 0, 0, 0, 0]);
    throw(&mut at, [2, 5]);
    assert_eq!(at.discards[0].left, 3);
}

#[test]
fn a_friendly_robber_spares_the_weak() {
    let mut at = plain();
    at.setup.0.friendly_robber = true;
    at.phase = Phase::MoveRobber;
    at.robber_triggered = true;
    assert!(!legal(&at, ONE, "robber:8") && legal(&at, ONE, "robber:14"));
    at.players[1].cities = at.players[1].settlements;
    at.players[1].settlements = 0;
    assert!(legal(&at, ONE, "robber:8"));
    assert!(!legal(&at, ONE, "robber:0"), "it must move");
}

#[test]
fn offers_are_answered_and_capped() {
    let mut at = plain();
    give(&mut at, ONE, [3, 0, 0, 0, 0]);
    give(&mut at, TWO, [0, 0, 0, 0, 2]);
    assert!(
        !legal(&at, ONE, "offer:BRICK>WOOL"),
        "the opponent has none"
    );
    play(&mut at, ONE, "offer:BRICK>ORE");
    assert_eq!(at.turn(), Turn::Seat(TWO));
    play(&mut at, TWO, "accept");
    assert_eq!(
        (at.hand(ONE), at.hand(TWO)),
        ([2, 0, 0, 0, 1], [1, 0, 0, 0, 1])
    );
    for _ in 0..2 {
        play(&mut at, ONE, "offer:BRICK>ORE");
        play(&mut at, TWO, "decline");
    }
    assert!(!legal(&at, ONE, "offer:BRICK>ORE"), "three per turn");
}

#[test]
fn harbors_lower_the_price() {
    // Port 6, at 3 and 4, takes anything.
    let mut at = plain();
    give(&mut at, ONE, [4, 3, 2, 0, 0]);
    assert!(legal(&at, ONE, "bank:BRICK>ORE") && legal(&at, ONE, "port3:LUMBER>ORE"));
    assert!(!legal(&at, ONE, "bank:LUMBER>ORE") && !legal(&at, ONE, "port2:WOOL>ORE"));
    play(&mut at, ONE, "port3:LUMBER>ORE");
    assert_eq!(at.hand(ONE), [4, 0, 2, 0, 1]);
}

#[test]
fn the_largest_army_needs_more_knights_than_the_holder() {
    let mut at = plain();
    at.players[0].played[0] = 2;
    at.players[1].played[0] = 3;
    at.army_owner = Some(TWO);
    for (n, owner) in [(3, TWO), (4, ONE)] {
        at.dev_played = false;
        at.players[0].devs[0] = 1;
        play(&mut at, ONE, "knight");
        assert_eq!(at.players[0].played[0], n);
        assert_eq!(at.largest_army_owner(), Some(owner));
        play(&mut at, ONE, if n == 3 { "robber:1" } else { "robber:2" });
    }
}

#[test]
fn setup_runs_in_snake_order_and_the_second_settlement_pays() {
    let mut at = Catan::start(&Setup::default());
    at.resolve(Draw(1), &mut kernel::Discard).unwrap();
    let mut seats = Vec::new();
    while at.number == 0 {
        let Turn::Seat(seat) = at.turn() else { break };
        seats.push(seat.index());
        let id = at.legal(seat).iter().next().unwrap();
        at.play(seat, at.action(id).unwrap(), &mut kernel::Discard)
            .unwrap();
    }
    assert_eq!(seats, [0, 0, 1, 1, 1, 1, 0, 0]);
    assert!(count(&at.hand(ONE)) > 0 && count(&at.hand(TWO)) > 0);
    assert_eq!(at.turn(), Turn::Seat(ONE));
}

#[test]
fn the_last_turn_cuts_the_match_off() {
    let mut at = plain();
    at.number = at.setup.max_turns;
    at.current = 0;
    play(&mut at, ONE, "end");
    assert_eq!(
        at.outcome().unwrap().to_string(),
        "draw (turn_cap, cut off)"
    );
}

// Promise: No card, piece or title of Catan is made or lost.
#[test]
fn cards_pieces_and_points_are_conserved_in_random_matches() {
    let setups = [
        RawSetup::default(),
        RawSetup {
            board: BoardKind::Random,
            dice: DiceKind::Bag36,
            friendly_robber: true,
            discard_threshold: 5,
            ..RawSetup::default()
        },
    ];
    let mut mask = Mask::default();
    for (setup, seed) in setups
        .iter()
        .flat_map(|setup| (0..1000).map(move |seed| (setup, seed)))
    {
        let setup = Setup::try_from(*setup).unwrap();
        let mut rng = Generator::from_seed(GeneratorKind::Pcg64, &Seed::from(seed));
        let mut at = Catan::start(&setup);
        loop {
            let step = match at.turn() {
                Turn::Over(_) => break,
                Turn::Chance => Step::Chance(at.odds().draw(&mut rng)),
                turn => {
                    let seat = turn.open().lowest().unwrap();
                    at.fill_legal(seat, &mut mask);
                    let id = mask.sample(&mut rng).unwrap();
                    Step::Play(seat, at.action(id).unwrap())
                }
            };
            at.apply_trusted(step, &mut kernel::Discard);
            assert_eq!(at.broken(), None, "{at}");
        }
        assert_eq!(at.broken_in_depth(), None, "{at}");
    }
}

#[test]
fn a_position_is_small() {
    assert_eq!(size_of::<Catan>(), 368);
}

/// Player 0 with bricks, lumber and wool, and player 1 with grain and ore.
fn traders() -> Catan {
    let mut at = plain();
    give(&mut at, ONE, [3, 2, 1, 0, 0]);
    give(&mut at, TWO, [0, 0, 0, 2, 6]);
    at
}

#[test]
fn bundles_change_hands_whole_and_count_as_one_offer() {
    let mut at = traders();
    for word in ["give:BRICK", "give:BRICK", "give:WOOL", "ask:ORE", "send"] {
        assert_eq!(at.turn(), Turn::Seat(ONE));
        play(&mut at, ONE, word);
    }
    assert_eq!(at.turn(), Turn::Seat(TWO));
    assert_eq!((at.hand(ONE), at.n_offers), ([3, 2, 1, 0, 0], 1));
    play(&mut at, TWO, "accept");
    assert_eq!(
        (at.hand(ONE), at.hand(TWO)),
        ([1, 2, 0, 0, 1], [2, 0, 1, 2, 5])
    );
    for _ in 0..2 {
        for word in ["give:LUMBER", "ask:GRAIN", "ask:ORE", "send"] {
            play(&mut at, ONE, word);
        }
        play(&mut at, TWO, "decline");
    }
    assert!(at.trade().is_none());
    assert!(!legal(&at, ONE, "give:LUMBER"), "three offers per turn");
}

/// The reason with which `last` is refused after `words`.
fn refused(at: &Catan, words: &[&str], last: &str) -> &'static str {
    let mut at = *at;
    for word in words {
        play(&mut at, ONE, word);
    }
    match at.play(ONE, act(last), &mut kernel::Discard) {
        Err(kernel::Refusal::Illegal(_, reason)) => reason.0,
        other => panic!("{last} gave {other:?}"),
    }
}

#[test]
fn a_composition_keeps_its_order_and_its_bounds() {
    let at = traders();
    let cases: [(&[&str], &str, &str); 10] = [
        (&["give:WOOL"], "give:BRICK", "out_of_order"),
        (&["give:WOOL", "ask:ORE"], "ask:GRAIN", "out_of_order"),
        (&["give:WOOL", "ask:ORE"], "give:WOOL", "out_of_order"),
        (&["give:WOOL"], "give:WOOL", "not_enough_resources"),
        (&["give:WOOL"], "ask:LUMBER", "other_lacks_it"),
        (&["give:WOOL"], "ask:WOOL", "same_resource"),
        (&["give:WOOL"], "send", "offer_incomplete"),
        (&["give:WOOL", "ask:ORE"], "send", "offer_incomplete"),
        (&["give:WOOL"], "end", "wrong_phase"),
        (
            &[
                "give:WOOL",
                "ask:ORE",
                "ask:ORE",
                "ask:ORE",
                "ask:ORE",
                "ask:ORE",
            ],
            "ask:ORE",
            "offer_too_large",
        ),
    ];
    for (words, last, reason) in cases {
        assert_eq!(refused(&at, words, last), reason, "{words:?} {last}");
    }
}

#[test]
fn an_offer_that_was_not_sent_ends_with_its_turn_and_with_the_match() {
    let mut at = traders();
    play(&mut at, ONE, "give:BRICK");
    let mut left = at;
    left.apply(
        Step::Leave(kernel::SeatSet::only(TWO), kernel::Departure::Resign),
        &mut kernel::Discard,
    )
    .unwrap();
    at.apply(Step::Deadline, &mut kernel::Discard).unwrap();
    assert_eq!((at.phase, at.current, at.n_offers), (Phase::Roll, 1, 0));
    assert!(at.trade().is_none() && left.trade().is_none());
    assert_eq!(at.hand(ONE), [3, 2, 1, 0, 0]);
}
