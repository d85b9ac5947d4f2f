//! A galaxy as a map of characters, and the names of its systems.

use kernel::Seat;

use crate::galaxy::SystemIdx;
use crate::view::View;
use crate::world::Goal;

const N_COLUMNS: usize = 76;
const N_ROWS: usize = 26;
/// The farthest that a label moves from its place, in columns.
const SHIFT_MAX: isize = 4;
/// The number of systems up to which all names are listed.
const NAMES_MAX: usize = 200;
/// The number of systems up to which names are on the map.
const NAMES_ON_MAP_MAX: usize = 40;

/// The letter of a faction on the map.
pub(super) fn mark(seat: Seat) -> char {
    char::from(b'A' + seat.index() as u8)
}

/// The map, seen from above: x grows to the right, z downward. Each system is its number, the letter
/// of its owner and, in a small galaxy, its name. A label that finds no room is left out; its place is
/// a dot.
pub(super) fn draw(view: &View) -> String {
    let mut canvas = Canvas::new();
    let frame = Frame::of(view);
    let galaxy = view.world.galaxy();
    let mut systems: Vec<SystemIdx> = galaxy.indices().collect();
    systems.sort_by_key(|idx| (importance(view, *idx), *idx));
    for idx in systems {
        let (column, row) = frame.place(view, idx);
        let (short, name) = (label(view, idx), &galaxy.system(idx).name);
        let labels = match galaxy.n_systems() <= NAMES_ON_MAP_MAX {
            true => vec![format!("{short} {name}"), short],
            false => vec![short],
        };
        if !labels.iter().any(|it| canvas.put(column, row, it)) {
            canvas.dot(column, row);
        }
    }
    let mut text = canvas.text();
    text += &format!(
        "  {} · + your fleet · ! another fleet · * hill · {} ly across\n",
        owners(view),
        frame.width_mly / 1000
    );
    text
}

/// The number and name of every system, in columns; of a large galaxy only those with an owner, a
/// hill or a fleet.
pub(super) fn names(view: &View) -> String {
    let galaxy = view.world.galaxy();
    let is_listed =
        |idx: &SystemIdx| galaxy.n_systems() <= NAMES_MAX || importance(view, *idx) < Rank::Plain;
    let cells: Vec<String> = galaxy
        .indices()
        .filter(is_listed)
        .map(|idx| format!("{} {}", label(view, idx), galaxy.system(idx).name))
        .collect();
    let width = cells.iter().map(|it| it.chars().count()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    for row in cells.chunks((N_COLUMNS / width).max(1)) {
        let row: String = row.iter().map(|it| format!("{it:width$}")).collect();
        text += &format!("  {}\n", row.trim_end());
    }
    text
}

/// The rank of a system in the fight for room on the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    Hill,
    Fleet,
    Owned,
    Plain,
}

fn importance(view: &View, idx: SystemIdx) -> Rank {
    if is_hill(view, idx) {
        return Rank::Hill;
    }
    if has_own_fleet(view, idx) || has_contact(view, idx) {
        return Rank::Fleet;
    }
    match view.owners[idx.index()] {
        Some(_) => Rank::Owned,
        None => Rank::Plain,
    }
}

/// The number of a system with its marks, such as `*12A+`.
fn label(view: &View, idx: SystemIdx) -> String {
    let hill = if is_hill(view, idx) { "*" } else { "" };
    let owner = view.owners[idx.index()].map(mark);
    let owner = owner.map_or(String::new(), String::from);
    let own = if has_own_fleet(view, idx) { "+" } else { "" };
    let foreign = if has_contact(view, idx) { "!" } else { "" };
    format!("{hill}{}{owner}{own}{foreign}", idx.0)
}

fn is_hill(view: &View, idx: SystemIdx) -> bool {
    let mut goals = view.world.goals().iter();
    goals.any(|it| matches!(it, Goal::Hill(hill, _) if *hill == idx))
}

fn has_own_fleet(view: &View, idx: SystemIdx) -> bool {
    view.fleets.iter().any(|it| it.orbit() == Some(idx))
}

fn has_contact(view: &View, idx: SystemIdx) -> bool {
    view.contacts.iter().any(|it| it.orbit == Some(idx))
}

/// The letters of all factions.
fn owners(view: &View) -> String {
    let seats = Seat::first(view.world.n_seats());
    let owner = |seat| format!("{} {}", mark(seat), view.world.faction_id(seat));
    seats.map(owner).collect::<Vec<_>>().join(", ")
}

/// The part of the plane that the map shows.
struct Frame {
    left: i64,
    top: i64,
    width_mly: i64,
    height_mly: i64,
}

impl Frame {
    fn of(view: &View) -> Frame {
        let systems = view.world.galaxy().systems();
        let xs = || systems.iter().map(|it| i64::from(it.at.x));
        let zs = || systems.iter().map(|it| i64::from(it.at.z));
        let (left, top) = (xs().min().unwrap_or(0), zs().min().unwrap_or(0));
        Frame {
            left,
            top,
            width_mly: (xs().max().unwrap_or(0) - left).max(1),
            height_mly: (zs().max().unwrap_or(0) - top).max(1),
        }
    }

    /// The column and row of a system.
    fn place(&self, view: &View, idx: SystemIdx) -> (usize, usize) {
        let at = view.world.galaxy().at(idx);
        let scaled = |from_mly: i64, span_mly: i64, n_cells: usize| {
            (from_mly * (n_cells as i64 - 1) / span_mly) as usize
        };
        let column = scaled(i64::from(at.x) - self.left, self.width_mly, N_COLUMNS);
        let row = scaled(i64::from(at.z) - self.top, self.height_mly, N_ROWS);
        (column, row)
    }
}

struct Canvas {
    cells: Vec<Vec<char>>,
}

impl Canvas {
    fn new() -> Canvas {
        Canvas {
            cells: vec![vec![' '; N_COLUMNS]; N_ROWS],
        }
    }

    /// Writes a label that begins at or near this place, with a blank on both sides. Returns false
    /// if there is no room for it.
    fn put(&mut self, column: usize, row: usize, label: &str) -> bool {
        let letters: Vec<char> = label.chars().collect();
        let column = column.min(N_COLUMNS.saturating_sub(letters.len()));
        let shifts = (0..=SHIFT_MAX).flat_map(|it| [-it, it]);
        let mut columns = shifts.filter_map(|it| column.checked_add_signed(it));
        let Some(first) = columns.find(|it| self.is_free(*it, row, letters.len())) else {
            return false;
        };
        self.cells[row][first..first + letters.len()].copy_from_slice(&letters);
        true
    }

    fn dot(&mut self, column: usize, row: usize) {
        if self.cells[row][column] == ' ' {
            self.cells[row][column] = '·';
        }
    }

    fn is_free(&self, first: usize, row: usize, n_letters: usize) -> bool {
        let end = first + n_letters;
        let with_margins = first.saturating_sub(1)..(end + 1).min(N_COLUMNS);
        end <= N_COLUMNS && self.cells[row][with_margins].iter().all(|it| *it == ' ')
    }

    fn text(&self) -> String {
        let line = |row: &Vec<char>| {
            let row: String = row.iter().collect();
            format!("{}\n", format!("  {row}").trim_end())
        };
        self.cells.iter().map(line).collect()
    }
}
