//! The bytes of `aux`: declared once, to be described, written and read.

use kernel::doc::{Fault, Faults, Listed};
use kernel::{Block, Departure, Seat};

use crate::restore::n_placed;
use crate::state::{Due, Win};
use crate::topology::{N_TILES, N_VERTICES, NONE};
use crate::{Catan, DEV_CARDS, Dev, Ending, OFFER_CARDS_MAX, PortKind, Setup};

/// The length of `aux` in bytes.
pub const AUX_LEN: usize = 110;

/// The possible endings, each for its winner. The order is part of the format.
const ENDINGS: [fn(Seat) -> Ending; 9] = [
    |winner| Ending::Won(winner, Win::Points),
    |winner| Ending::Won(winner, Win::Disconnect),
    |winner| Ending::Won(winner, Win::Resign),
    |_| Ending::TurnCap,
    |_| Ending::Void(Departure::Disconnect),
    |_| Ending::Void(Departure::Resign),
    |_| Ending::Void(Departure::Cancel),
    |winner| Ending::Won(winner, Win::Timeout),
    |_| Ending::Void(Departure::Timeout),
];

/// The blocks of `aux`, in order.
pub fn aux_blocks() -> Vec<Block> {
    let mut bytes = [0; AUX_LEN];
    let mut aux = Aux::new(&mut bytes, false);
    aux.position(&mut Catan::at_start(&Setup::default()), &mut 0);
    aux.blocks
}

/// Writes the facts that the observation of a seat leaves out.
pub fn write_aux(position: &Catan, seat: Seat, aux: &mut [u8; AUX_LEN]) {
    let mut position = *position;
    Aux::new(aux, false).position(&mut position, &mut (seat.index() as u8));
}

/// Reads the facts into a position and returns the seat that observes.
pub(super) fn read(aux: &[u8; AUX_LEN], position: &mut Catan) -> Result<Seat, Faults> {
    let (mut aux, mut seat) = (*aux, 0);
    let mut aux = Aux::new(&mut aux, true);
    aux.position(position, &mut seat);
    aux.faults
        .into_result(Catan::SEATS.get(usize::from(seat)).copied())
}

/// A walk through the bytes. One that reads copies them into the position; any other copies the
/// position into them.
struct Aux<'a> {
    bytes: &'a mut [u8; AUX_LEN],
    reads: bool,
    n_done: usize,
    blocks: Vec<Block>,
    faults: Faults,
}

impl Aux<'_> {
    fn new(bytes: &mut [u8; AUX_LEN], reads: bool) -> Aux<'_> {
        Aux {
            bytes,
            reads,
            n_done: 0,
            blocks: Vec::new(),
            faults: Faults::default(),
        }
    }

    /// Visits every fact of a position.
    fn position(&mut self, at: &mut Catan, seat: &mut u8) {
        self.block("ports", "the kind of each harbor");
        self.bytes(&mut at.board.ports, PortKind::Any as u8);
        self.block("robber", "the tile with the robber");
        self.byte(&mut at.robber, N_TILES as u8 - 1);
        self.block("current_player", "the player whose turn it is");
        self.byte(&mut at.current, 1);
        self.block("dice", "the last roll; 0 before the first");
        self.bytes(&mut at.dice, 6);
        self.block(
            "robber_triggered",
            "1 while the robber has yet to move for a seven",
        );
        self.flag(&mut at.robber_triggered);
        self.block("rolled", "1 once the dice are rolled in the turn");
        self.flag(&mut at.rolled);
        self.block("dev_card_played", "1 once a card is played in the turn");
        self.flag(&mut at.dev_played);
        self.block("free_roads", "free roads still to build");
        self.byte(&mut at.free_roads, 2);
        self.block("offers_made", "trades offered in the turn");
        self.byte(&mut at.n_offers, u8::MAX);
        self.block("turn_number", "the number of the turn, high byte first");
        self.word(&mut at.number);
        self.setup(at);
        self.block(
            "pending_chance",
            "DEAL, DICE, THEFT, FORCED_DICE; 255 for none",
        );
        let mut due = at.chance.map_or(NONE, |due| due as u8);
        self.byte_or_none(&mut due, Due::ALL.len() as u8 - 1);
        at.chance = Due::ALL.get(usize::from(due)).copied();
        self.block(
            "pending_discards",
            "cards left and in total, for each player",
        );
        for due in &mut at.discards {
            self.byte(&mut due.left, u8::MAX);
            self.byte(&mut due.total, u8::MAX);
        }
        self.block(
            "pending_trade",
            "cards offered, then requested, sent or not; zeros for none",
        );
        let mut trade = at.trade();
        self.bytes(&mut trade.offer, OFFER_CARDS_MAX);
        self.bytes(&mut trade.request, OFFER_CARDS_MAX);
        at.pending = trade.into();
        self.block("bag", "rolls left in the bag as 36 bits, the lowest first");
        let mut bag = at.bag.to_le_bytes();
        self.bytes(&mut bag[..4], u8::MAX);
        self.byte(&mut bag[4], 0b1111);
        at.bag = u64::from_le_bytes(bag);
        self.cards(at);
        self.block("road_lengths", "the longest road of each player");
        for player in &mut at.players {
            self.byte(&mut player.road_len, u8::MAX);
        }
        self.ending(at);
        self.variant(at);
        self.block("seat", "the seat that observes");
        self.byte(seat, 1);
        debug_assert_eq!(self.n_done, AUX_LEN);
    }

    fn setup(&mut self, at: &mut Catan) {
        self.block("setup_round", "1 or 2 in the setup; 0 after it");
        let mut round = match at.n_placed {
            0..4 => 1,
            4..8 => 2,
            _ => 0,
        };
        self.byte(&mut round, 2);
        self.block(
            "setup_vertex",
            "the settlement whose road comes next; 255 for none",
        );
        self.byte_or_none(&mut at.last_vertex, N_VERTICES as u8 - 1);
        at.n_placed = n_placed(round, at.current, at.last_vertex != NONE);
    }

    fn cards(&mut self, at: &mut Catan) {
        self.block("dev_cards", "cards that may be played, by player");
        for player in &mut at.players {
            self.bytes(&mut player.devs, DEV_CARDS as u8);
        }
        self.block("new_dev_cards", "cards bought in the turn, by player");
        for player in &mut at.players {
            self.bytes(&mut player.new_devs, DEV_CARDS as u8);
        }
        self.block("played_dev_cards", "cards played, by player");
        for player in &mut at.players {
            let played = &mut player.played[..Dev::VictoryPoint as usize];
            self.bytes(played, DEV_CARDS as u8);
        }
        self.block("dev_deck", "the deck in draw order; 255 after its end");
        let mut deck = [NONE; DEV_CARDS];
        for (card, drawn) in deck.iter_mut().zip(at.deck_cards()) {
            *card = drawn as u8;
        }
        for card in &mut deck {
            self.byte_or_none(card, Dev::VictoryPoint as u8);
        }
        let cards = deck
            .iter()
            .map_while(|&card| Dev::ALL.get(usize::from(card)));
        at.put_deck(&cards.copied().collect::<Vec<Dev>>());
    }

    fn ending(&mut self, at: &mut Catan) {
        self.block(
            "outcome",
            "index of the reason, and the winner; 255 for none",
        );
        let mut winner = at.winner().map_or(NONE, |seat| seat.index() as u8);
        let ending = |winner: u8, idx: usize| {
            let seat = Catan::SEATS[usize::from(winner & 1)];
            ENDINGS.get(idx).map(|ending| ending(seat))
        };
        let idx = (0..ENDINGS.len()).find(|&idx| at.ending == ending(winner, idx));
        let mut reason = idx.map_or(NONE, |idx| idx as u8);
        self.byte_or_none(&mut reason, ENDINGS.len() as u8 - 1);
        self.byte_or_none(&mut winner, 1);
        at.ending = ending(winner, reason.into());
    }

    fn variant(&mut self, at: &mut Catan) {
        self.block(
            "variant",
            "board, dice, discard rule, threshold, switches (1 friendly robber, 2 test), \
             last turn (2 bytes), trades, offers per turn, points to win",
        );
        let setup = &mut at.setup.0;
        self.choice(&mut setup.board);
        self.choice(&mut setup.dice);
        self.choice(&mut setup.discard_rule);
        self.byte(&mut setup.discard_threshold, u8::MAX);
        let mut switches = u8::from(setup.friendly_robber) | u8::from(setup.test) << 1;
        self.byte(&mut switches, 0b11);
        setup.friendly_robber = switches & 1 != 0;
        setup.test = switches & 2 != 0;
        self.word(&mut setup.max_turns);
        self.choice(&mut setup.player_trades);
        self.byte(&mut setup.trades_per_turn, u8::MAX);
        self.byte(&mut setup.vp_to_win, u8::MAX);
    }

    /// Begins a block. The bytes that follow belong to it.
    fn block(&mut self, name: &'static str, about: &'static str) {
        self.blocks.push(Block {
            name,
            shape: vec![0],
            low: 0,
            high: 255,
            scale: 1,
            about,
        });
    }

    fn byte(&mut self, value: &mut u8, max: u8) {
        let byte = &mut self.bytes[self.n_done];
        self.n_done += 1;
        let block = self.blocks.last_mut().expect("a byte belongs to a block");
        block.shape[0] += 1;
        if !self.reads {
            *byte = *value;
        } else if *byte <= max {
            *value = *byte;
        } else {
            let message = format!("expected at most {max}, found {byte}");
            let pointer = format!("/aux/{}", block.name);
            self.faults
                .push(Fault::new(pointer, "unknown_value", message));
        }
    }

    fn byte_or_none(&mut self, value: &mut u8, max: u8) {
        let is_none = self.reads && self.bytes[self.n_done] == NONE;
        self.byte(value, if is_none { NONE } else { max });
    }

    fn bytes(&mut self, values: &mut [u8], max: u8) {
        values.iter_mut().for_each(|value| self.byte(value, max));
    }

    fn flag(&mut self, value: &mut bool) {
        let mut byte = u8::from(*value);
        self.byte(&mut byte, 1);
        *value = byte == 1;
    }

    fn word(&mut self, value: &mut u16) {
        let mut bytes = value.to_be_bytes();
        self.bytes(&mut bytes, u8::MAX);
        *value = u16::from_be_bytes(bytes);
    }

    fn choice<T: Listed + PartialEq>(&mut self, value: &mut T) {
        let idx = T::LIST.iter().position(|it| it == value);
        let mut idx = idx.map_or(NONE, |idx| idx as u8);
        self.byte(&mut idx, T::LIST.len() as u8 - 1);
        *value = T::LIST[usize::from(idx)];
    }
}
