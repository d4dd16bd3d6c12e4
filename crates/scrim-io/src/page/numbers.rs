//! Numbers as people read them.

/// A whole number with its thousands set apart.
pub(super) fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent. What is not nought is not shown as nought, and what is not all not as all.
pub(super) fn percent(share: f64) -> String {
    if !share.is_finite() {
        return "not told".to_owned();
    }
    let text = format!("{:.1}", share * 100.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    match text {
        "0" | "-0" if share > 0.0 => "<0.1%".to_owned(),
        "100" if share < 1.0 => ">99.9%".to_owned(),
        "-0" => "0%".to_owned(),
        text => format!("{text}%"),
    }
}

/// A number with as many digits as it needs, at most four behind the point.
pub(super) fn decimal(number: f64) -> String {
    if !number.is_finite() {
        return "not told".to_owned();
    }
    if number.abs() >= 1000.0 {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}{}", whole(number.abs().round() as u64));
    }
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// So many of something, in the singular where it is one.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", whole(number), if number == 1 { one } else { many })
}

/// Bytes, in the unit that fits.
pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => count(bytes, "byte", "bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let told = [0, 999, 1000, 1_234_567].map(whole);
        assert_eq!(told, ["0", "999", "1,000", "1,234,567"]);
        let told = [0.0, 0.0001, 0.5, 0.1234, 0.999_99, 1.0, f64::NAN].map(percent);
        assert_eq!(
            told,
            ["0%", "<0.1%", "50%", "12.3%", ">99.9%", "100%", "not told"]
        );
        let told = [0.5, 12.0, -0.25, 12_212.85, -1234.5].map(decimal);
        assert_eq!(told, ["0.5", "12", "-0.25", "12,213", "-1,235"]);
        assert_eq!(count(1, "row", "rows"), "1 row");
        assert_eq!(bytes(552_620), "552.6 kB");
    }
}
