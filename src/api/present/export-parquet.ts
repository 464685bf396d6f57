import { createHash } from 'node:crypto';
import { type FileMetaData, parquetMetadata, type RowGroup, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ExportFile, ExportRows } from './export-file.ts';

/** The name of the manifest in the metadata of the file. */
const MANIFEST = 'mintscope';
/** What a file begins and ends with. */
const MAGIC = Buffer.from('PAR1');
/** The length of the metadata and the magic after them. */
const TRAILER_BYTES = 8;

/**
 * A Parquet file: the groups of rows of each portion, which is a file of its own, and metadata that
 * name their new places and the manifest. Holds one portion at a time beside the places of the groups,
 * and reads the next one once the client has taken the last. A read that fails ends the file without
 * metadata, so that no reader opens it.
 */
export async function* parquetChunks(file: ExportFile): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  if (file.empty === null) throw new TypeError('a Parquet file needs the schema of its columns');
  const groups: RowGroup[] = [];
  let offset = MAGIC.length;
  digest.update(MAGIC);
  yield MAGIC;
  const rows = new ExportRows(file);
  for await (const portion of rows.portions()) {
    const { metadata, data } = partsOf(portion);
    const shift = BigInt(offset - MAGIC.length);
    for (const group of metadata.row_groups) groups.push(moved(group, shift));
    digest.update(data);
    offset += data.length;
    yield data;
  }
  const { schema } = partsOf(file.empty).metadata;
  yield trailer(schema.map(forStrictReaders), groups, rows.manifest(digest.digest('hex')));
}

/** The metadata of a file, and what is between its beginning and them. */
function partsOf(file: Uint8Array): { metadata: FileMetaData; data: Uint8Array } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getUint32(file.length - TRAILER_BYTES, true);
  const start = file.length - TRAILER_BYTES - length;
  const { buffer } = Uint8Array.from(file.subarray(start));
  return { metadata: parquetMetadata(buffer), data: file.subarray(MAGIC.length, start) };
}

/** The group with its places in the new file. */
function moved(group: RowGroup, shift: bigint): RowGroup {
  const columns = group.columns.map(({ meta_data: column, ...chunk }) => {
    if (column === undefined) throw new TypeError('a column of a group has no metadata');
    const { dictionary_page_offset: dictionary } = column;
    return {
      ...chunk,
      file_offset: 0n,
      meta_data: {
        ...column,
        data_page_offset: column.data_page_offset + shift,
        ...(dictionary === undefined ? {} : { dictionary_page_offset: dictionary + shift }),
      },
    };
  });
  const { file_offset: start, ...rest } = group;
  return { ...rest, columns, ...(start === undefined ? {} : { file_offset: start + shift }) };
}

/**
 * The element as strict readers take it. The logical type of an integer is left out, since the library
 * writes its width as a longer number than the format has; the converted type says the same. A time
 * with the converted type alone is in UTC by the format, but readers take it for one without a zone.
 */
function forStrictReaders({ logical_type: logical, ...element }: SchemaElement): SchemaElement {
  if (logical === undefined && element.converted_type === 'TIMESTAMP_MILLIS') {
    return {
      ...element,
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    };
  }
  const isKept = logical !== undefined && logical.type !== 'INTEGER';
  return isKept ? { ...element, logical_type: logical } : element;
}

/** The metadata of a whole file, their length, and the magic. */
function trailer(schema: SchemaElement[], groups: RowGroup[], manifest: string): Uint8Array {
  const kvMetadata = [{ key: MANIFEST, value: manifest }];
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema, kvMetadata, createdBy: 'Mintscope' });
  file.row_groups = groups;
  file.num_rows = groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n);
  // Writing to memory takes no time: there is no promise.
  void file.finish();
  // What the writer has begun with is at the beginning of the file.
  return writer.getBytes().subarray(MAGIC.length);
}
