//! One column of one row group, from its codes to the bytes of its pages.
//!
//! **Reading.** A label that no row of the group has is not written. The dictionary has the others by first occurrence,
//! equal texts once; where it grew too large, or there is no text at all, the pages hold the texts themselves.
//!
//! **Cost.** A look-up and a few bits a row.

use rustc_hash::FxHashMap;
use scrim::table::{Code, Codes};

use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;

use super::Sizes;
use super::bounds::Bounds;
use super::group::Group;
use super::hybrid;
use super::pages::{Chunk, Pages};
use crate::out::OutColumn;

const UNSEEN: u32 = u32::MAX;
const NULL: u32 = u32::MAX - 1;

/// The bytes of a column in a group of rows.
pub(super) fn chunk(
    column: &OutColumn,
    group: &Group<'_>,
    kind: ColumnDescPtr,
    sizes: &Sizes,
) -> Result<Chunk, ParquetError> {
    let labels = &column.labels[..];
    let pages = Pages::new(kind)?;
    match group {
        Group::Rows(rows) => match &column.codes {
            Codes::U8(codes) => of_codes(pages, labels, &codes[rows.clone()], sizes),
            Codes::U16(codes) => of_codes(pages, labels, &codes[rows.clone()], sizes),
            Codes::U32(codes) => of_codes(pages, labels, &codes[rows.clone()], sizes),
        },
        Group::Lines { of_row, first_rows } => {
            let code = |row: &u32| column.codes.get(*row as usize);
            let codes: Vec<Code> = first_rows.iter().map(code).collect();
            let all = codes.iter().copied();
            let Some(dictionary) = Dictionary::of(labels, all, sizes.dictionary_bytes) else {
                let label = |line: &u32| labels[codes[*line as usize] as usize].as_deref();
                return by_texts(pages, of_row.iter().map(label), sizes);
            };
            let place = |code: &Code| dictionary.of_code[*code as usize];
            let places: Vec<u32> = codes.iter().map(place).collect();
            by_places(pages, &dictionary, of_row, &places, sizes)
        }
    }
}

fn of_codes<K: Copy + Into<u32>>(
    pages: Pages<'_>,
    labels: &[Option<String>],
    codes: &[K],
    sizes: &Sizes,
) -> Result<Chunk, ParquetError> {
    let all = codes.iter().map(|code| (*code).into());
    match Dictionary::of(labels, all.clone(), sizes.dictionary_bytes) {
        Some(dictionary) => by_places(pages, &dictionary, codes, &dictionary.of_code, sizes),
        None => by_texts(
            pages,
            all.map(|code| labels[code as usize].as_deref()),
            sizes,
        ),
    }
}

/// The texts that some rows have.
struct Dictionary<'a> {
    texts: Vec<&'a str>,
    /// The place of each code, [`NULL`] where its label is none, [`UNSEEN`] where no row has it.
    of_code: Vec<u32>,
    has_null: bool,
}

impl<'a> Dictionary<'a> {
    /// Nothing where the texts take more than so many bytes, or where there is none.
    fn of(
        labels: &'a [Option<String>],
        codes: impl Iterator<Item = Code>,
        most: usize,
    ) -> Option<Self> {
        let mut texts = Vec::new();
        let mut places: FxHashMap<&str, u32> = FxHashMap::default();
        let mut of_code = vec![UNSEEN; labels.len()];
        let (mut bytes, mut has_null) = (0, false);
        for code in codes {
            let place = &mut of_code[code as usize];
            if *place != UNSEEN {
                continue;
            }
            *place = NULL;
            let Some(text) = labels[code as usize].as_deref() else {
                has_null = true;
                continue;
            };
            *place = *places.entry(text).or_insert(texts.len() as u32);
            if *place as usize == texts.len() {
                texts.push(text);
                bytes += size_of::<u32>() + text.len();
                if bytes > most {
                    return None;
                }
            }
        }
        (!texts.is_empty()).then_some(Self {
            texts,
            of_code,
            has_null,
        })
    }
}

/// A place in a dictionary, or none.
trait Place: Copy + Default + PartialEq + Into<u32> {
    const NULL: Self;
}

impl Place for u8 {
    const NULL: Self = u8::MAX;
}

impl Place for u32 {
    const NULL: Self = NULL;
}

/// Pages of places in the dictionary, which `place_of` has by key.
fn by_places<'a, K: Copy + Into<u32>>(
    mut pages: Pages<'a>,
    dictionary: &Dictionary<'a>,
    keys: &[K],
    place_of: &[u32],
    sizes: &Sizes,
) -> Result<Chunk, ParquetError> {
    let texts = &dictionary.texts[..];
    let mut body = Vec::new();
    texts.iter().try_for_each(|text| plain(text, &mut body))?;
    pages.write_dictionary(&body, texts.len())?;
    if texts.len() <= usize::from(u8::NULL) {
        // A table of bytes stays in the cache.
        let narrow = |place: &u32| u8::try_from(*place).unwrap_or(u8::NULL);
        let place_of: Vec<u8> = place_of.iter().map(narrow).collect();
        place_pages(pages, dictionary, keys, &place_of, sizes)
    } else {
        place_pages(pages, dictionary, keys, place_of, sizes)
    }
}

fn place_pages<'a, K: Copy + Into<u32>, P: Place>(
    mut pages: Pages<'a>,
    dictionary: &Dictionary<'a>,
    keys: &[K],
    place_of: &[P],
    sizes: &Sizes,
) -> Result<Chunk, ParquetError> {
    let texts = &dictionary.texts[..];
    let width = hybrid::width(texts.len());
    let place_of = |key: &K| place_of[(*key).into() as usize];
    let mut used = vec![false; texts.len()];
    let (mut body, mut places, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    for keys in keys.chunks(sizes.page_rows) {
        used.fill(false);
        places.clear();
        levels.clear();
        if let ([_], false) = (texts, dictionary.has_null) {
            used[0] = true;
            places.resize(keys.len(), P::default());
        } else if dictionary.has_null {
            let all = keys.iter().map(place_of);
            levels.extend(all.clone().map(|place| u8::from(place != P::NULL)));
            places.extend(all.filter(|place| *place != P::NULL));
            let mut mark = |place: &P| used[(*place).into() as usize] = true;
            places.iter().for_each(&mut mark);
        } else {
            places.extend(keys.iter().map(|key| {
                let place = place_of(key);
                used[place.into() as usize] = true;
                place
            }));
        }
        let texts = texts.iter().zip(&used);
        let bounds = Bounds::of(texts.filter_map(|(text, used)| used.then_some(*text)));
        body.clear();
        self::levels(keys.len(), places.len(), &levels, &mut body);
        body.push(width);
        match (places.first(), bounds) {
            (Some(place), Some(bounds)) if bounds.least == bounds.greatest => {
                hybrid::run((*place).into(), places.len(), width, &mut body);
            }
            (None, _) => {}
            _ => hybrid::packed(&places, width, &mut body),
        }
        pages.write_rows(&body, keys.len(), keys.len() - places.len(), bounds)?;
    }
    pages.finish()
}

/// Pages of the texts themselves.
fn by_texts<'a>(
    mut pages: Pages<'a>,
    texts: impl Iterator<Item = Option<&'a str>>,
    sizes: &Sizes,
) -> Result<Chunk, ParquetError> {
    let mut page = TextPage::default();
    for text in texts {
        let bytes = text.map_or(0, |text| size_of::<u32>() + text.len());
        let full = page.levels.len() == sizes.page_rows
            || !page.body.is_empty() && page.body.len() + bytes > sizes.page_bytes;
        if full {
            page.write(&mut pages)?;
        }
        page.levels.push(u8::from(text.is_some()));
        if let Some(text) = text {
            plain(text, &mut page.body)?;
            page.count += 1;
            page.bounds = Some(Bounds::with(page.bounds, text));
        }
    }
    if !page.levels.is_empty() {
        page.write(&mut pages)?;
    }
    pages.finish()
}

#[derive(Default)]
struct TextPage<'a> {
    levels: Vec<u8>,
    body: Vec<u8>,
    /// How many texts.
    count: usize,
    bounds: Option<Bounds<'a>>,
}

impl<'a> TextPage<'a> {
    fn write(&mut self, pages: &mut Pages<'a>) -> Result<(), ParquetError> {
        let rows = self.levels.len();
        let mut whole = Vec::with_capacity(self.body.len() + rows / 8 + 16);
        levels(rows, self.count, &self.levels, &mut whole);
        whole.extend_from_slice(&self.body);
        pages.write_rows(&whole, rows, rows - self.count, self.bounds)?;
        self.levels.clear();
        self.body.clear();
        self.count = 0;
        self.bounds = None;
        Ok(())
    }
}

/// Whether each row has a value: `levels` is looked at where some have and some have not.
fn levels(rows: usize, values: usize, levels: &[u8], into: &mut Vec<u8>) {
    let start = into.len();
    into.extend_from_slice(&[0; 4]);
    if values == rows || values == 0 {
        hybrid::run(u32::from(values > 0), rows, 1, into);
    } else {
        hybrid::packed(levels, 1, into);
    }
    let length = (into.len() - start - 4) as u32;
    into[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// A text after its length.
fn plain(text: &str, into: &mut Vec<u8>) -> Result<(), ParquetError> {
    let length = u32::try_from(text.len())
        .map_err(|_| ParquetError::General("a text is too long for Parquet".to_owned()))?;
    into.extend_from_slice(&length.to_le_bytes());
    into.extend_from_slice(text.as_bytes());
    Ok(())
}
