//! Documents whose fields are declared together with their values.

/// Declares documents that are made from something else. Each field stands with the expression that
/// its value comes from, so that a field is named and described once. The function `of` makes the
/// document.
///
/// - A list of attributes in front, `[…];`, belongs to every document.
/// - A field with `=>` stands with a place instead: `of` copies the value from it, and the function
///   `put`, whose parameters follow `put`, copies it back.
///
/// ```
/// struct Player {
///     points: u8,
/// }
///
/// kernel::documents! {
///     [#[derive(serde::Serialize)]];
///
///     /// The points of a player.
///     pub struct Points of(player: &Player, goal: u8) put(player: &mut Player)
///     where (left = goal - player.points) {
///         /// The points so far.
///         pub points: u8 => player.points,
///         /// The points still needed to win.
///         pub left: u8 = left,
///     }
/// }
/// let mut player = Player { points: 3 };
/// assert_eq!(Points::of(&player, 10).left, 7);
/// Points { points: 5, left: 5 }.put(&mut player);
/// assert_eq!(player.points, 5);
/// ```
#[macro_export]
macro_rules! documents {
    (@of [$($shared:tt)*]
        $(#[$about:meta])*
        $visible:vis struct $name:ident $(<$life:lifetime>)? of($($source:ident: $type:ty),*)
        $(where ($($local:ident = $init:expr),+ $(,)?))? {
            $($(#[$note:meta])* $shown:vis $field:ident: $kind:ty
                $(= $value:expr)? $(=> $place:expr)?),+ $(,)?
        }
    ) => {
        $($shared)*
        $(#[$about])*
        $visible struct $name $(<$life>)? {
            $($(#[$note])* $shown $field: $kind),+
        }

        impl $(<$life>)? $name $(<$life>)? {
            pub(crate) fn of($($source: $type),*) -> Self {
                $($(let $local = $init;)+)?
                Self { $($field: $($value)? $(Clone::clone(&$place))?),+ }
            }
        }
    };
    (@put $name:ident [] $fields:tt) => {};
    (@put $name:ident [($($sink:ident: $type:ty),*)] {
        $($(#[$note:meta])* $shown:vis $field:ident: $kind:ty
            $(= $value:expr)? $(=> $place:expr)?),+ $(,)?
    }) => {
        impl $name {
            pub(crate) fn put(&self, $($sink: $type),*) {
                $($($place = Clone::clone(&self.$field);)?)+
            }
        }
    };
    ($shared:tt; $(
        $(#[$about:meta])*
        $visible:vis struct $name:ident $(<$life:lifetime>)? of $sources:tt
        $(put $sinks:tt)? $(where $locals:tt)? { $($fields:tt)+ }
    )+) => {$(
        $crate::documents! { @of $shared
            $(#[$about])*
            $visible struct $name $(<$life>)? of $sources $(where $locals)? { $($fields)+ }
        }
        $crate::documents! { @put $name [$($sinks)?] { $($fields)+ } }
    )+};
    ($($documents:tt)+) => {
        $crate::documents! { []; $($documents)+ }
    };
}

/// Declares the decisions of a game as records write them, and implements
/// [`DecisionOf`](crate::DecisionOf). Each decision stands between the first of its actions, as a
/// pattern, and the expression for its actions, or `None` after a fault. Each field stands with its
/// value, which may use the pattern's bindings.
///
/// ```text
/// kernel::decisions! {
///     /// A decision in a record.
///     #[derive(Serialize, Document, Names)]
///     #[serde(tag = "type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
///     pub enum Decision of(at: &Position, actions) read(node, faults) {
///         Action::Raise(n) => Raise { n_coins: u8 = n } => Some(vec![Action::Raise(n_coins)]),
///         Action::Fold => Fold {} => Some(vec![Action::Fold]),
///     }
/// }
/// ```
#[macro_export]
macro_rules! decisions {
    (
        $(#[$about:meta])*
        $visible:vis enum $name:ident of($at:ident: &$game:ty, $actions:ident)
        read($node:ident, $faults:ident) $(where ($local:ident = $init:expr))? {$(
            $first:pat => $(#[$note:meta])* $variant:ident {
                $($(#[$attribute:meta])* $field:ident: $kind:ty = $value:expr),* $(,)?
            } => $read:expr
        ),+ $(,)?}
    ) => {
        $(#[$about])*
        $visible enum $name {$(
            $(#[$note])*
            $variant { $($(#[$attribute])* $field: $kind),* }
        ),+}

        impl $crate::DecisionOf<$game> for $name {
            fn of($at: &$game, $actions: &[<$game as $crate::Game>::Action]) -> $name {
                match $actions[0] {
                    $($first => $name::$variant { $($field: $value),* }),+
                }
            }

            #[allow(unused_variables, reason = "a reader needs no field that is only checked")]
            fn actions(
                self,
                $at: &$game,
                $node: &$crate::doc::Node<'_>,
                $faults: &mut $crate::doc::Faults,
            ) -> Option<Vec<<$game as $crate::Game>::Action>> {
                $(let $local = $init;)?
                match self {
                    $($name::$variant { $($field),* } => $read),+
                }
            }
        }
    };
}

/// Declares types that share attributes, listed in front: `[…];`.
///
/// ```
/// kernel::alike! {
///     [#[derive(Clone, Copy, PartialEq, Debug)]];
///
///     pub enum Side { Left, Right }
///     pub struct Seen { side: Side }
/// }
/// assert_eq!(Seen { side: Side::Left }.clone().side, Side::Left);
/// ```
#[macro_export]
macro_rules! alike {
    (@ [$($shared:tt)*] $($type:tt)+) => {
        $($shared)*
        $($type)+
    };
    ($shared:tt; $(
        $(#[$about:meta])*
        $visible:vis $keyword:ident $name:ident { $($body:tt)+ }
    )+) => {$(
        $crate::alike! { @ $shared $(#[$about])* $visible $keyword $name { $($body)+ } }
    )+};
}

/// Declares a setup that is validated: a wrapper of the setup as written, which is read with all
/// its checks, from a document or from a value.
#[macro_export]
macro_rules! validated {
    ($(#[$about:meta])* $visible:vis struct $name:ident($raw:ident)) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, PartialEq, Eq, Debug, Default,
            ::serde::Serialize, ::schemars::JsonSchema, $crate::doc::Document,
        )]
        #[serde(transparent)]
        $visible struct $name(pub(crate) $raw);

        impl ::std::ops::Deref for $name {
            type Target = $raw;

            fn deref(&self) -> &$raw {
                &self.0
            }
        }

        impl TryFrom<$raw> for $name {
            type Error = $crate::doc::Faults;

            /// Lists every fault, with the name of the field as its pointer.
            fn try_from(raw: $raw) -> Result<$name, $crate::doc::Faults> {
                let written = $crate::json::from_value(&raw).expect("a setup holds no floats");
                $crate::doc::parse(&written)
            }
        }
    };
}
