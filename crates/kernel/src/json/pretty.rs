//! Documents as people read them.

use super::Json;

impl Json {
    /// The document indented by two spaces, with every number as it is written. Unlike the
    /// canonical form, it may hold real numbers.
    #[must_use]
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        push(self, 0, &mut out);
        out
    }
}

fn push(value: &Json, depth: usize, out: &mut String) {
    match value {
        Json::List(items) => {
            let items = items.iter().map(|item| (None, item));
            push_all(['[', ']'], items, depth, out);
        }
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| (Some(key), value));
            push_all(['{', '}'], entries, depth, out);
        }
        Json::Text(text) => push_text(text, out),
        Json::Real(real) => out.push_str(real.as_str()),
        Json::Int(int) => out.push_str(&int.to_string()),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Null => out.push_str("null"),
    }
}

fn push_all<'j>(
    [open, close]: [char; 2],
    items: impl ExactSizeIterator<Item = (Option<&'j String>, &'j Json)>,
    depth: usize,
    out: &mut String,
) {
    out.push(open);
    let is_empty = items.len() == 0;
    for (idx, (key, item)) in items.enumerate() {
        if idx > 0 {
            out.push(',');
        }
        push_line(depth + 1, out);
        if let Some(key) = key {
            push_text(key, out);
            out.push_str(": ");
        }
        push(item, depth + 1, out);
    }
    if !is_empty {
        push_line(depth, out);
    }
    out.push(close);
}

fn push_line(depth: usize, out: &mut String) {
    out.push('\n');
    (0..depth).for_each(|_| out.push_str("  "));
}

fn push_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use crate::json::read;

    #[test]
    fn a_document_is_indented_and_keeps_the_spelling_of_its_numbers() {
        let text = br#"{"b": [1, 0.10000000000000000001, []], "a": {"\n": "\u00e9"}, "c": {}}"#;
        let wanted = "{\n  \"a\": {\n    \"\\n\": \"é\"\n  },\n  \"b\": [\n    1,\n    \
                      0.10000000000000000001,\n    []\n  ],\n  \"c\": {}\n}";
        assert_eq!(read(text).unwrap().pretty(), wanted);
    }
}
