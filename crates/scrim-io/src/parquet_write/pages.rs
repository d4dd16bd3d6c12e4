//! The pages of a column chunk, packed and with their headers, and what the file says about them.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, EncodingMask, PageType, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

use super::bounds::{Bounds, PageBounds, long};

/// How all files are packed.
pub(super) fn compression() -> ZstdLevel {
    ZstdLevel::default()
}

/// A column chunk that is ready to be written.
pub(super) struct Chunk {
    pub(super) bytes: Bytes,
    pub(super) close: ColumnCloseResult,
}

/// The pages so far.
pub(super) struct Pages<'a> {
    kind: ColumnDescPtr,
    packer: Compressor<'static>,
    sink: TrackedWrite<Vec<u8>>,
    unpacked: usize,
    dictionary: bool,
    /// Where the first page of rows stands.
    start: Option<usize>,
    /// How many pages of rows there are.
    count: i32,
    bounds: PageBounds<'a>,
    offsets: OffsetIndexBuilder,
}

impl<'a> Pages<'a> {
    pub(super) fn new(kind: ColumnDescPtr) -> Result<Self, ParquetError> {
        Ok(Self {
            kind,
            packer: Compressor::new(compression().compression_level())?,
            sink: TrackedWrite::new(Vec::new()),
            unpacked: 0,
            dictionary: false,
            start: None,
            count: 0,
            bounds: PageBounds::new(),
            offsets: OffsetIndexBuilder::new(),
        })
    }

    /// The dictionary: so many texts.
    pub(super) fn write_dictionary(
        &mut self,
        body: &[u8],
        texts: usize,
    ) -> Result<(), ParquetError> {
        let page = Page::DictionaryPage {
            buf: self.pack(body)?,
            num_values: texts as u32,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        self.dictionary = true;
        self.write(page, body.len()).map(drop)
    }

    /// Rows, nulls among them: by their places where there is a dictionary, else by their texts.
    pub(super) fn write_rows(
        &mut self,
        body: &[u8],
        rows: usize,
        nulls: usize,
        bounds: Option<Bounds<'a>>,
    ) -> Result<(), ParquetError> {
        let page = Page::DataPage {
            buf: self.pack(body)?,
            num_values: rows as u32,
            encoding: self.encoding(),
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let spec = self.write(page, body.len())?;
        let offset = spec.offset as usize;
        self.start.get_or_insert(offset);
        self.count += 1;
        self.bounds.add(rows, nulls, bounds);
        self.offsets.append_row_count(long(rows));
        let size = i32::try_from(spec.compressed_size);
        let size = size.map_err(|error| ParquetError::External(Box::new(error)))?;
        self.offsets.append_offset_and_size(long(offset), size);
        Ok(())
    }

    fn encoding(&self) -> Encoding {
        if self.dictionary {
            Encoding::RLE_DICTIONARY
        } else {
            Encoding::PLAIN
        }
    }

    fn pack(&mut self, body: &[u8]) -> Result<Bytes, ParquetError> {
        Ok(self.packer.compress(body)?.into())
    }

    fn write(&mut self, page: Page, unpacked: usize) -> Result<PageWriteSpec, ParquetError> {
        let page = CompressedPage::new(page, unpacked);
        let spec = SerializedPageWriter::new(&mut self.sink).write_page(page)?;
        self.unpacked += spec.uncompressed_size;
        Ok(spec)
    }

    /// All pages.
    pub(super) fn finish(self) -> Result<Chunk, ParquetError> {
        let stats = |page_type, encoding, count| PageEncodingStats {
            page_type,
            encoding,
            count,
        };
        let dictionary = stats(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1);
        let dictionary = self.dictionary.then_some(dictionary).into_iter();
        let rows = stats(PageType::DATA_PAGE, self.encoding(), self.count);
        let pages: Vec<PageEncodingStats> = dictionary.chain([rows]).collect();
        let encodings = pages.iter().map(|page| &page.encoding);
        let encodings = EncodingMask::new_from_encodings(encodings.chain([&Encoding::RLE]));
        let bytes = Bytes::from(self.sink.into_inner()?);
        let metadata = ColumnChunkMetaData::builder(self.kind)
            .set_compression(Compression::ZSTD(compression()))
            .set_encodings_mask(encodings)
            .set_page_encoding_stats(pages)
            .set_total_compressed_size(long(bytes.len()))
            .set_total_uncompressed_size(long(self.unpacked))
            .set_num_values(long(self.bounds.rows()))
            .set_data_page_offset(long(self.start.unwrap_or_default()))
            .set_dictionary_page_offset(self.dictionary.then_some(0))
            .set_statistics(self.bounds.statistics())
            .set_definition_level_histogram(Some(self.bounds.histogram()))
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.bounds.rows() as u64,
            metadata,
            bloom_filter: None,
            column_index: Some(self.bounds.index()?),
            offset_index: Some(self.offsets.build()),
        };
        Ok(Chunk { bytes, close })
    }
}
