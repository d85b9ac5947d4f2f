//! Legal actions.

use kernel::{ActionId, Mask, Seat};

use crate::action::{Throw, first};
use crate::board::ANY;
use crate::card::{at_least, count, covers, packed};
use crate::state::{CITIES_MAX, Player, SETTLEMENTS_MAX};
use crate::topology::{EDGES_AT, N_TILES, TILE_SET};
use crate::trade::beginnings;
use crate::{
    Action, CITY_COST, Catan, DEV_COST, Dev, Hand, N_RESOURCES, Phase, Plenty, ROAD_COST, Resource,
    SETTLEMENT_COST,
};

/// A friendly robber spares a player with at most this many points on the board.
pub(crate) const FRIENDLY_POINTS_MAX: u8 = 2;

type Words = [u64; Action::N.div_ceil(64)];

/// Adds a set of ids, offset by `FIRST`.
#[inline(always)]
fn put<const FIRST: usize>(words: &mut Words, set: u128) {
    let (word, shift) = (FIRST / 64, FIRST % 64);
    words[word] |= (set as u64) << shift;
    let rest = if shift == 0 {
        set >> 64
    } else {
        set >> (64 - shift)
    };
    if word + 1 < words.len() {
        words[word + 1] |= rest as u64;
    }
    if word + 2 < words.len() {
        words[word + 2] |= (rest >> 64) as u64;
    }
}

impl Catan {
    #[inline]
    pub(crate) fn write_mask(&self, seat: Seat, mask: &mut Mask) {
        mask.allow_words(&self.legal_words(seat));
    }

    pub(crate) fn allows(&self, seat: Seat, action: Action) -> bool {
        let id = action.id().index();
        self.legal_words(seat)[id / 64] & (1 << (id % 64)) != 0
    }

    /// The legal action with the lowest id.
    pub(crate) fn lowest_legal(&self, seat: Seat) -> Option<Action> {
        let words = self.legal_words(seat);
        let idx = words.iter().position(|&word| word != 0)?;
        let id = idx * 64 + words[idx].trailing_zeros() as usize;
        Action::with_id(ActionId::new(id))
    }

    #[inline]
    fn legal_words(&self, seat: Seat) -> Words {
        let mut words = Words::default();
        let open = self.ending.is_none() && self.chance.is_none() && seat == self.decider();
        if !open {
            return words;
        }
        let player = self.player(seat);
        match self.phase {
            Phase::SetupSettlement => {
                put::<{ first::SETUP_SETTLEMENT }>(&mut words, self.open.into());
            }
            Phase::SetupRoad => {
                let free = !(self.players[0].roads | self.players[1].roads);
                let edges = EDGES_AT[usize::from(self.last_vertex)] & free;
                put::<{ first::SETUP_ROAD }>(&mut words, edges);
            }
            Phase::Roll => {
                put::<{ first::ROLL_DICE }>(&mut words, 1);
                if self.setup.test {
                    put::<{ first::FORCE_DICE }>(&mut words, (1 << Throw::N) - 1);
                }
                self.put_cards(player, &mut words);
            }
            Phase::Discard => {
                put::<{ first::DISCARD }>(&mut words, at_least(packed(&player.hand), 1).into());
            }
            Phase::MoveRobber => {
                put::<{ first::MOVE_ROBBER }>(&mut words, self.robber_tiles(seat).into());
            }
            Phase::Action => {
                self.put_builds(player, &mut words);
                self.put_cards(player, &mut words);
                self.put_trades(seat, &mut words);
                put::<{ first::END_TURN }>(&mut words, 1);
            }
            Phase::RoadBuilding => {
                put::<{ first::FREE_ROAD }>(&mut words, player.road_spots);
            }
            Phase::TradeResponse => {
                let accept = covers(&player.hand, &self.trade().request);
                put::<{ first::ACCEPT }>(&mut words, 2 | u128::from(accept));
            }
            Phase::GameOver => {}
            Phase::TradeOffer => {
                let (own, theirs) = self.traders();
                put::<{ first::GIVE_CARD }>(&mut words, self.trade().steps(own, theirs).into());
            }
        }
        words
    }

    #[inline]
    fn put_builds(&self, player: &Player, words: &mut Words) {
        let hand = &player.hand;
        if covers(hand, &ROAD_COST) && player.has_road_left() {
            put::<{ first::BUILD_ROAD }>(words, player.road_spots);
        }
        if covers(hand, &SETTLEMENT_COST) && player.settlements.count_ones() < SETTLEMENTS_MAX {
            let spots = player.reach & self.open;
            put::<{ first::BUILD_SETTLEMENT }>(words, spots.into());
        }
        if covers(hand, &CITY_COST) && player.cities.count_ones() < CITIES_MAX {
            put::<{ first::BUILD_CITY }>(words, player.settlements.into());
        }
        if covers(hand, &DEV_COST) && self.n_deck > 0 {
            put::<{ first::BUY_DEVELOPMENT }>(words, 1);
        }
    }

    /// Development cards: one per turn, and none bought in the same turn.
    #[inline]
    fn put_cards(&self, player: &Player, words: &mut Words) {
        if self.dev_played {
            return;
        }
        let has = |dev: Dev| player.devs[dev as usize] > 0;
        if has(Dev::Knight) {
            put::<{ first::PLAY_KNIGHT }>(words, 1);
        }
        if has(Dev::RoadBuilding) && player.has_road_left() && player.road_spots != 0 {
            put::<{ first::ROAD_BUILDING }>(words, 1);
        }
        if has(Dev::YearOfPlenty) {
            put::<{ first::YEAR_OF_PLENTY }>(words, plenties(&self.bank));
        }
        if has(Dev::Monopoly) {
            put::<{ first::MONOPOLY }>(words, (1 << N_RESOURCES) - 1);
        }
    }

    /// Trades with the bank at four, three and two for one, and offers to the opponent: four
    /// blocks of twenty ids in a row, then the first cards of composed offers.
    #[inline]
    fn put_trades(&self, seat: Seat, words: &mut Words) {
        let player = self.player(seat);
        let hand = packed(&player.hand);
        let from_bank = GETS[usize::from(at_least(packed(&self.bank), 1))];
        let other = self.player(Catan::other(seat));
        let theirs = packed(&other.hand);
        let from_other = GETS[usize::from(at_least(theirs, 1))];
        let gives = |n| at_least(hand, n);
        let all_if = |holds: bool| u8::from(holds).wrapping_neg();
        let any_port = all_if(player.ports & (1 << ANY) != 0);
        let may_offer = all_if(self.n_offers < self.setup.offers_max());
        let swaps = |given: u8, gotten: u32| GIVES[usize::from(given & 31)] & gotten;
        let blocks = [
            swaps(gives(4), from_bank),
            swaps(gives(3) & any_port, from_bank),
            swaps(gives(2) & player.ports, from_bank),
            swaps(gives(1) & may_offer, from_other),
        ]
        .map(u128::from);
        let set = blocks[0] | blocks[1] << 20 | blocks[2] << 40 | blocks[3] << 60;
        put::<{ first::TRADE_BANK }>(words, set);
        if may_offer != 0 {
            put::<{ first::GIVE_CARD }>(words, beginnings(hand, theirs).into());
        }
    }

    /// The tiles to which the robber may move: any other tile, unless a friendly robber spares it.
    #[inline]
    pub(crate) fn robber_tiles(&self, seat: Seat) -> u32 {
        let mut tiles = ((1 << N_TILES) - 1) & !(1 << self.robber);
        let other = Catan::other(seat);
        if self.setup.friendly_robber && self.public_points(other) <= FRIENDLY_POINTS_MAX {
            let homes = self.player(other).buildings();
            for (tile, set) in TILE_SET.iter().enumerate() {
                if set & homes != 0 {
                    tiles &= !(1 << tile);
                }
            }
        }
        tiles
    }
}

/// For each set of resources that can be given, the swaps that give one of them: four ids for each
/// resource.
static GIVES: [u32; 32] = {
    let mut swaps = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut give = 0;
        while give < N_RESOURCES {
            if set >> give & 1 == 1 {
                swaps[set] |= 0b1111 << (4 * give);
            }
            give += 1;
        }
        set += 1;
    }
    swaps
};

/// For each set of resources that can be received, the swaps that get one of them.
static GETS: [u32; 32] = {
    let mut swaps = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut give = 0;
        while give < N_RESOURCES {
            // The given resource is not a choice, and those above it move down by one.
            let below = (1 << give) - 1;
            let others = (set & below) | (set >> 1 & !below);
            swaps[set as usize] |= others << (4 * give);
            give += 1;
        }
        set += 1;
    }
    swaps
};

/// The choices of a year of plenty: two cards, or the one that is left.
fn plenties(bank: &Hand) -> u128 {
    let mut set = 0;
    let last = count(bank) == 1;
    for (idx, first) in Resource::ALL.into_iter().enumerate() {
        if last && bank[idx] > 0 {
            set |= 1 << Plenty::new(first, None).number();
        }
        for second in &Resource::ALL[idx..] {
            let need = 1 + u8::from(first == *second);
            if bank[idx] >= need && bank[*second as usize] > 0 {
                set |= 1 << Plenty::new(first, Some(*second)).number();
            }
        }
    }
    set
}
