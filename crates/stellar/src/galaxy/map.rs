//! A galaxy as an SVG image.

use std::fmt::Write as _;

use super::Galaxy;
use crate::constants::{JUMP_MAX_MLY, TERRITORY_RADIUS_MLY};
use crate::scenario::{Condition, Scenario};

/// Draws the galaxy as SVG: owners with their territory, homes with their range, the hills.
pub fn draw_svg(scenario: &Scenario, galaxy: &Galaxy) -> String {
    let places = galaxy.systems().iter().map(|it| it.at);
    let reach = places
        .map(|at| at.x.abs().max(at.z.abs()))
        .max()
        .unwrap_or(0);
    let half = i64::from(reach) / 100 + 120;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\">\n<title>{}</title>\n\
         <rect x=\"{}\" y=\"{}\" width=\"100%\" height=\"100%\" fill=\"#05060f\"/>\n",
        -half,
        -half,
        2 * half,
        2 * half,
        escaped(&scenario.meta.title),
        -half,
        -half,
    );
    for home in galaxy.homes.iter().flatten() {
        let ring = format!(
            "fill=\"none\" stroke=\"#445\" stroke-dasharray=\"6 6\" r=\"{}\"",
            JUMP_MAX_MLY / 100
        );
        circle(&mut svg, galaxy, home.index(), &ring, None);
    }
    for (idx, owner) in galaxy.owners().iter().enumerate() {
        if let Some(owner) = owner {
            let color = &scenario.setup.factions[owner.index()].color_hex;
            let area = format!(
                "fill=\"{color}\" fill-opacity=\"0.12\" r=\"{}\"",
                TERRITORY_RADIUS_MLY / 100
            );
            circle(&mut svg, galaxy, idx, &area, None);
        }
    }
    for (idx, system) in galaxy.systems().iter().enumerate() {
        let owner = galaxy.owners()[idx];
        let color = owner.map_or("#dddddd", |it| {
            &scenario.setup.factions[it.index()].color_hex
        });
        let is_home = galaxy
            .homes
            .iter()
            .flatten()
            .any(|home| home.index() == idx);
        let size = if is_home { 14 } else { 7 };
        let stroke = if system.has_gas { "#7fffd4" } else { "none" };
        let dot = format!("fill=\"{color}\" stroke=\"{stroke}\" stroke-width=\"3\" r=\"{size}\"");
        let title = format!("{} ({})", system.name, system.id);
        circle(&mut svg, galaxy, idx, &dot, Some(&title));
    }
    for condition in scenario.conditions() {
        if let Condition::KingOfTheHill { system_id, .. } = condition
            && let Some(hill) = galaxy.find(system_id)
        {
            let ring = "fill=\"none\" stroke=\"#ffd700\" stroke-width=\"4\" r=\"24\"";
            circle(&mut svg, galaxy, hill.index(), ring, None);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws a circle at a system. One SVG unit is a tenth of a light-year.
fn circle(svg: &mut String, galaxy: &Galaxy, idx: usize, style: &str, title: Option<&str>) {
    let at = galaxy.systems()[idx].at;
    let (x, y) = (at.x / 100, at.z / 100);
    let title = title.map_or(String::new(), |it| {
        format!("<title>{}</title>", escaped(it))
    });
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" {style}>{title}</circle>"
    );
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
