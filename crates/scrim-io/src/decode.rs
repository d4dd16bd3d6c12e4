//! Bytes as they are on disk, and the text in them: plain, gzip or Zstandard.
//!
//! **Reading.** A name that ends in `.gz` or `.zst` must hold what it says. Any other input (standard input too) is
//! told by its first bytes, which no UTF-8 text can begin with.

use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use scrim::printable;

use crate::digest::Hashing;
use crate::error::IoError;
use crate::files;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Plain,
    Gzip,
    Zstd,
}

/// What the decoder says of a file whose window is larger than is allowed.
const TOO_WIDE: &str = "too much memory";

type Raw<R> = Hashing<Chain<Cursor<Vec<u8>>, R>>;

enum Inner<R: Read> {
    Plain(Raw<R>),
    Gzip(Box<MultiGzDecoder<Raw<R>>>),
    Zstd(zstd::stream::read::Decoder<'static, BufReader<Raw<R>>>),
}

/// Reads the text, counts and hashes the bytes as they are on disk.
pub(crate) struct Decoder<R: Read> {
    inner: Inner<R>,
    head: [u8; 4],
    /// Whether damage to the packed bytes may go unnoticed.
    unchecked: bool,
}

impl<R: Read> Decoder<R> {
    pub(crate) fn new(mut reader: R, path: &Path) -> io::Result<Self> {
        let mut head = Vec::new();
        reader.by_ref().take(5).read_to_end(&mut head)?;
        let mut magic = [0; 4];
        let known = head.len().min(4);
        magic[..known].copy_from_slice(&head[..known]);
        let format = format(path, magic);
        // The third bit of a frame's descriptor says that a checksum follows it; gzip always has one.
        let unchecked = format == Format::Zstd && head.get(4).is_some_and(|bits| bits & 4 == 0);
        let raw = Hashing::new(Cursor::new(head).chain(reader));
        let inner = match format {
            Format::Plain => Inner::Plain(raw),
            Format::Gzip => Inner::Gzip(Box::new(MultiGzDecoder::new(raw))),
            Format::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(raw)?;
                decoder.window_log_max(31)?;
                Inner::Zstd(decoder)
            }
        };
        Ok(Self {
            inner,
            head: magic,
            unchecked,
        })
    }

    pub(crate) fn format(&self) -> Format {
        match self.inner {
            Inner::Plain(_) => Format::Plain,
            Inner::Gzip(_) => Format::Gzip,
            Inner::Zstd(_) => Format::Zstd,
        }
    }

    /// Whether the first part of a packed file has no checksum.
    pub(crate) fn is_unchecked(&self) -> bool {
        self.unchecked
    }

    /// The first four bytes on disk, zeros where there are fewer.
    pub(crate) fn head(&self) -> [u8; 4] {
        self.head
    }

    /// Lets what is unpacked at a time take at most so many bytes, before anything is read.
    pub(crate) fn limit_window(&mut self, most: u64) -> io::Result<()> {
        match &mut self.inner {
            Inner::Zstd(decoder) => decoder.window_log_max(most.max(1 << 10).ilog2().min(31)),
            Inner::Plain(_) | Inner::Gzip(_) => Ok(()),
        }
    }

    /// How many bytes have been read from disk.
    pub(crate) fn raw_bytes(&self) -> u64 {
        match &self.inner {
            Inner::Plain(raw) => raw.passed(),
            Inner::Gzip(decoder) => decoder.get_ref().passed(),
            Inner::Zstd(decoder) => decoder.get_ref().get_ref().passed(),
        }
    }

    /// Digest and number of all bytes on disk, also of those that a decoder left unread.
    pub(crate) fn finish(&mut self) -> io::Result<(String, u64)> {
        let raw = match &mut self.inner {
            Inner::Plain(raw) => raw,
            Inner::Gzip(decoder) => decoder.get_mut(),
            Inner::Zstd(decoder) => decoder.get_mut().get_mut(),
        };
        io::copy(raw, &mut io::sink())?;
        Ok((raw.hex(), raw.passed()))
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Plain(raw) => raw.read(buffer),
            Inner::Gzip(decoder) => decoder.read(buffer),
            Inner::Zstd(decoder) => decoder.read(buffer),
        }
    }
}

fn format(path: &Path, magic: [u8; 4]) -> Format {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension) if extension.eq_ignore_ascii_case("gz") => Format::Gzip,
        Some(extension) if extension.eq_ignore_ascii_case("zst") => Format::Zstd,
        _ if magic[..2] == [0x1f, 0x8b] => Format::Gzip,
        _ if magic == [0x28, 0xb5, 0x2f, 0xfd] => Format::Zstd,
        _ => Format::Plain,
    }
}

/// What a failed read means: the system's own fault, or a packed file that is damaged.
pub(crate) fn damage(path: &Path, format: Format, source: io::Error) -> IoError {
    let packed = match format {
        // The decoders make errors of their own, which have no number of the system.
        Format::Gzip if source.raw_os_error().is_none() => "gzip",
        Format::Zstd if source.raw_os_error().is_none() => "Zstandard",
        _ => return IoError::file(path, source),
    };
    if source.to_string().contains(TOO_WIDE) {
        return IoError::Memory {
            what: format!(
                "{}: this Zstandard file needs more memory to be unpacked than a quarter of --memory",
                printable(&path.display().to_string())
            ),
            hint: Some("allow more with --memory, or pack it again without `--long`".to_owned()),
        };
    }
    let what = match source.kind() {
        io::ErrorKind::UnexpectedEof => format!("the {packed} file is cut off: its end is missing"),
        _ => format!("the {packed} file is damaged, or is none"),
    };
    IoError::data(
        files::place(path),
        what,
        Some("make or copy the file again"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(format: Format, text: &[u8]) -> Vec<u8> {
        match format {
            Format::Plain => text.to_vec(),
            Format::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(text).unwrap();
                encoder.finish().unwrap()
            }
            Format::Zstd => zstd::encode_all(text, 1).unwrap(),
        }
    }

    fn unpacked(bytes: &[u8], name: &str) -> Result<Vec<u8>, IoError> {
        let mut decoder = Decoder::new(bytes, Path::new(name)).unwrap();
        let mut text = Vec::new();
        match decoder.read_to_end(&mut text) {
            Ok(_) => {
                let (hex, count) = decoder.finish().unwrap();
                assert_eq!(
                    (hex, count),
                    (crate::digest::sha256(bytes), bytes.len() as u64)
                );
                Ok(text)
            }
            Err(error) => Err(damage(Path::new(name), decoder.format(), error)),
        }
    }

    #[test]
    fn packed_files_are_told_by_their_first_bytes_or_their_name() {
        for format in [Format::Plain, Format::Gzip, Format::Zstd] {
            assert_eq!(
                unpacked(&packed(format, b"a,b\n1,2\n"), "-").unwrap(),
                b"a,b\n1,2\n"
            );
        }
        assert!(unpacked(b"a,b\n", "a.csv.gz").is_err());
    }

    #[test]
    fn several_packed_parts_are_one_text() {
        for format in [Format::Gzip, Format::Zstd] {
            let parts = [packed(format, b"a\n"), packed(format, b"b\n")].concat();
            assert_eq!(unpacked(&parts, "-").unwrap(), b"a\nb\n");
        }
    }

    #[test]
    fn a_packed_file_that_is_cut_off_says_so() {
        let text: Vec<u8> = (0..20_000_u32)
            .flat_map(|number| format!("{},", number * 7919).into_bytes())
            .collect();
        for (format, name) in [(Format::Gzip, "gzip"), (Format::Zstd, "Zstandard")] {
            let whole = packed(format, &text);
            let error = unpacked(&whole[..whole.len() / 2], "a.gz.x").unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("a.gz.x: the {name} file is cut off: its end is missing")
            );
        }
    }
}
