//! Amounts of memory, as people write them.

/// The bytes of `500MB`, `2 GB`, `1.5GiB`, `64M` or a plain number.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1u64 << 40,
        _ => return Err("expected a size such as `500MB` or `2GB`".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "expected a number and a unit, such as `500MB` or `2GB`".to_owned())?;
    Ok((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, size) in [
            ("500MB", 500_000_000),
            ("2 GB", 2_000_000_000),
            ("1.5GiB", 3 << 29),
            ("64m", 64_000_000),
            ("7", 7),
            ("99999999999tb", u64::MAX),
        ] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "MB", "-1GB", "1.2.3GB", "2 parsecs", "1e3", "NaN"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
