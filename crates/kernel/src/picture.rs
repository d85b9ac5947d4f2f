//! Pictures of a position: plain data that a page can draw and a terminal can print.
//!
//! A picture is a list of [parts](Part), from top to bottom. In every text, `@0` stands for the
//! name of the player in seat 0; [`with_seats`] writes it for a terminal.

use std::fmt::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{self, Json};
use crate::{SEATS_MAX, Seat, Viewer};

/// A picture of a position, as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// The parts, from top to bottom.
    pub parts: Vec<Part>,
}

/// A part of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "PicturePart")]
pub enum Part {
    /// A line of text.
    Text {
        /// The line.
        text: String,
    },
    /// A row of cards, dice or tokens.
    Cards {
        /// The heading.
        title: String,
        /// The seat that the row belongs to, if it belongs to one.
        seat: Option<Seat>,
        /// The cards, from left to right.
        cards: Vec<Card>,
    },
    /// A board of squares.
    Grid {
        /// The number of squares in a row.
        columns: u16,
        /// The squares, row by row.
        cells: Vec<Cell>,
    },
    /// A board of places with lines between them.
    Graph {
        /// The places.
        nodes: Vec<Spot>,
        /// The lines, each as the indices of its ends.
        edges: Vec<[u16; 2]>,
    },
}

/// A card, a die or a token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PictureCard")]
pub struct Card {
    /// A short text or a symbol; null if it lies face down.
    pub face: Option<String>,
    /// The emphasis.
    pub tone: Tone,
    /// The action that a click plays while it is legal.
    pub word: Option<String>,
}

/// A square of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PictureCell")]
pub struct Cell {
    /// A short text or a symbol; empty for an empty square.
    pub text: String,
    /// The emphasis.
    pub tone: Tone,
    /// The action that a click plays while it is legal.
    pub word: Option<String>,
}

/// A place on a board of places.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PictureSpot")]
pub struct Spot {
    /// Thousandths of the width, from the left.
    #[schemars(range(max = 1000))]
    pub x: u16,
    /// Thousandths of the height, from the top.
    #[schemars(range(max = 1000))]
    pub y: u16,
    /// A short text or a symbol.
    pub text: String,
    /// The emphasis.
    pub tone: Tone,
    /// The action that a click plays while it is legal.
    pub word: Option<String>,
}

/// The emphasis of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "PictureTone", inline)]
pub enum Tone {
    /// None.
    #[default]
    Plain,
    /// Worth a look, such as the last move.
    Accent,
    /// Good for its player.
    Good,
    /// Bad for its player.
    Bad,
    /// Out of play.
    Muted,
}

impl Picture {
    /// An empty picture.
    #[must_use]
    pub fn new() -> Picture {
        Picture::default()
    }

    /// A line of text for each field of a document.
    pub(crate) fn listing(document: &impl Serialize) -> Picture {
        let document = json::from_value(document);
        let Ok(Json::Object(fields)) = document else {
            return Picture::new();
        };
        fields
            .iter()
            .fold(Picture::new(), |picture, (name, value)| {
                picture.text(format!("{}: {value}", name.replace('_', " ")))
            })
    }

    /// This picture with a line of text below it.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Picture {
        self.part(Part::Text { text: text.into() })
    }

    /// This picture with a row of cards below it, which belongs to `seat`.
    #[must_use]
    pub fn cards(
        self,
        title: impl Into<String>,
        seat: impl Into<Option<Seat>>,
        cards: impl IntoIterator<Item = Card>,
    ) -> Picture {
        self.part(Part::Cards {
            title: title.into(),
            seat: seat.into(),
            cards: cards.into_iter().collect(),
        })
    }

    /// This picture with a row for each seat that has anything: the viewer's own row is titled such
    /// as "Your dice", the others such as "@0's dice".
    #[must_use]
    pub fn hands<H>(self, noun: &str, viewer: Viewer, hands: impl IntoIterator<Item = H>) -> Picture
    where
        H: IntoIterator<Item: Into<Card>>,
    {
        let rows = Seat::first(SEATS_MAX).zip(hands);
        rows.fold(self, |picture, (seat, hand)| {
            let title = match viewer.is(seat) {
                true => format!("Your {noun}"),
                false => format!("@{seat}'s {noun}"),
            };
            let mut cards = hand.into_iter().map(Into::into).peekable();
            match cards.peek() {
                None => picture,
                Some(_) => picture.cards(title, seat, cards),
            }
        })
    }

    /// This picture with a board of squares below it.
    #[must_use]
    pub fn grid(self, columns: u16, cells: impl IntoIterator<Item = Cell>) -> Picture {
        self.part(Part::Grid {
            columns,
            cells: cells.into_iter().collect(),
        })
    }

    /// This picture with a board of places below it.
    #[must_use]
    pub fn graph(
        self,
        nodes: impl IntoIterator<Item = Spot>,
        edges: impl IntoIterator<Item = [u16; 2]>,
    ) -> Picture {
        self.part(Part::Graph {
            nodes: nodes.into_iter().collect(),
            edges: edges.into_iter().collect(),
        })
    }

    fn part(mut self, part: Part) -> Picture {
        self.parts.push(part);
        self
    }
}

impl Card {
    /// A card that lies face up.
    pub fn up(face: impl Into<String>) -> Card {
        Card {
            face: Some(face.into()),
            tone: Tone::Plain,
            word: None,
        }
    }

    /// A card that lies face down.
    #[must_use]
    pub fn down() -> Card {
        Card {
            face: None,
            tone: Tone::Plain,
            word: None,
        }
    }
}

impl Cell {
    /// A square with this text.
    pub fn new(text: impl Into<String>) -> Cell {
        Cell {
            text: text.into(),
            tone: Tone::Plain,
            word: None,
        }
    }
}

impl Spot {
    /// A place at these thousandths of the width and the height.
    pub fn new(x: u16, y: u16, text: impl Into<String>) -> Spot {
        Spot {
            x: x.min(1000),
            y: y.min(1000),
            text: text.into(),
            tone: Tone::Plain,
            word: None,
        }
    }
}

macro_rules! elements {
    ($($Element:ident),+) => {$(
        impl $Element {
            /// The element with this emphasis.
            #[must_use]
            pub fn tone(self, tone: Tone) -> $Element {
                $Element { tone, ..self }
            }

            /// The element with the emphasis of [`Tone::Accent`] if a condition holds.
            #[must_use]
            pub fn accent_if(self, holds: bool) -> $Element {
                match holds {
                    true => self.tone(Tone::Accent),
                    false => self,
                }
            }

            /// The element with an action that a click on it plays.
            #[must_use]
            pub fn plays(self, action: impl fmt::Display) -> $Element {
                $Element { word: Some(action.to_string()), ..self }
            }
        }
    )+};
}

elements!(Card, Cell, Spot);

/// A text with `seat 0` in place of `@0`.
pub fn with_seats(text: &str) -> String {
    let mut written = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '@' if letters.peek().is_some_and(char::is_ascii_digit) => written.push_str("seat "),
            _ => written.push(letter),
        }
    }
    written
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| part.fmt(f))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Text { text } => writeln!(f, "  {}", with_seats(text)),
            Part::Cards { title, cards, .. } => {
                let face = |card: &Card| format!("[{}]", card.face.as_deref().unwrap_or(" "));
                let faces: Vec<String> = cards.iter().map(face).collect();
                writeln!(f, "  {}: {}", with_seats(title), faces.join(" "))
            }
            Part::Grid { columns, cells } => write_grid((*columns).into(), cells, f),
            Part::Graph { nodes, edges } => write_graph(nodes, edges, f),
        }
    }
}

fn write_grid(n_columns: usize, cells: &[Cell], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let width = cells.iter().map(|cell| cell.text.chars().count()).max();
    let width = width.unwrap_or(0).max(1);
    for row in cells.chunks(n_columns.max(1)) {
        f.write_str(" ")?;
        for cell in row {
            let text = if cell.text.is_empty() {
                "."
            } else {
                &cell.text
            };
            write!(f, " {text:width$}")?;
        }
        f.write_char('\n')?;
    }
    Ok(())
}

/// Writes each place with the places next to it.
fn write_graph(nodes: &[Spot], edges: &[[u16; 2]], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (idx, node) in nodes.iter().enumerate() {
        let other = |&[a, b]: &[u16; 2]| match (usize::from(a), usize::from(b)) {
            (a, b) if a == idx => Some(b),
            (a, b) if b == idx => Some(a),
            _ => None,
        };
        let next = edges.iter().filter_map(other);
        let next = next
            .filter_map(|it| nodes.get(it))
            .map(|it| it.text.as_str());
        writeln!(
            f,
            "  {}: {}",
            node.text,
            next.collect::<Vec<_>>().join(", ")
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_reads_as_text() {
        let spots = [
            Spot::new(0, 0, "A"),
            Spot::new(9000, 5, "B"),
            Spot::new(1, 1, "C"),
        ];
        assert_eq!(spots[1].x, 1000);
        let picture = Picture::new()
            .text("@0 beats @12, not me@here.")
            .cards("@1's dice", Seat::SECOND, [Card::up("⚄"), Card::down()])
            .grid(2, [Cell::new("X"), Cell::new(""), Cell::new("10")])
            .graph(spots, [[0, 1], [2, 0], [2, 7]]);
        assert_eq!(
            picture.to_string(),
            "  seat 0 beats seat 12, not me@here.\n  seat 1's dice: [⚄] [ ]\n  X  . \n  10\n  \
             A: B, C\n  B: A\n  C: A\n"
        );
    }

    #[test]
    fn a_state_without_a_drawing_is_listed() {
        let state = serde_json::json!({"n_stones": [3, 4], "mover": 1});
        let listed = Picture::listing(&state).to_string();
        assert_eq!(listed, "  mover: 1\n  n stones: [3, 4]\n");
    }

    #[test]
    fn hands_belong_to_their_players() {
        let hands = [vec![Card::up("A")], vec![], vec![Card::down()]];
        let picture = Picture::new().hands("cards", Viewer::Seat(Seat::FIRST), hands);
        assert_eq!(
            picture.to_string(),
            "  Your cards: [A]\n  seat 2's cards: [ ]\n"
        );
    }

    #[test]
    fn an_element_names_the_action_of_a_click() {
        let cell = Cell::new("").tone(Tone::Good).plays("mark:4");
        let written = serde_json::to_string(&Picture::new().grid(1, [cell])).unwrap();
        assert_eq!(
            written,
            r#"{"parts":[{"type":"grid","columns":1,"cells":[{"text":"","tone":"good","word":"mark:4"}]}]}"#
        );
    }
}
