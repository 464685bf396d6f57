import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { findJsonFault } from '../../lib/json-fault.ts';
import { parseLossless } from '../../lib/lossless-json.ts';
import type { SourceProblem } from '../../model/errors.ts';
import { ContentFault, isCompressed, readText, textOf } from './file-content.ts';
import { type FoundRecord, findRecords } from './find-records.ts';
import { type InputFile, isSystemError, systemMessage } from './input-files.ts';
import { type Line, readLines } from './read-lines.ts';

/** One JSON document: a file, or a line of one. */
export interface RecordUnit {
  readonly file: InputFile;
  readonly line: (Pick<Line, 'offset' | 'number'> & { readonly sizeBytes: number }) | null;
}

/** What a document holds, or why it cannot be read. */
export type LoadedUnit =
  | { readonly status: 'ok'; readonly records: readonly FoundRecord[] }
  | { readonly status: 'fault'; readonly problem: SourceProblem };

/** Documents held parsed, and what they weighed as text. */
interface Kept {
  readonly loaded: LoadedUnit;
  readonly isLossless: boolean;
}

/**
 * Reads and parses documents. Those that fit within the bound stay parsed from the first pass to
 * the second; of the rest only the one read last does.
 */
export class RecordLoader {
  private readonly keptBytesMax: number;
  private readonly decompressedBytesMax: number;
  private readonly kept = new Map<RecordUnit, Kept>();
  private keptBytes = 0;
  private latest: { readonly unit: RecordUnit; readonly kept: Kept } | null = null;
  private cursor: LineCursor | null = null;

  constructor(keptBytesMax: number, decompressedBytesMax: number) {
    this.keptBytesMax = keptBytesMax;
    this.decompressedBytesMax = decompressedBytesMax;
  }

  /** Reads a file for the first time, its documents in order, and keeps what there is room for. */
  async *loadFile(file: InputFile): AsyncGenerator<readonly [RecordUnit, LoadedUnit]> {
    const whole: RecordUnit = { file, line: null };
    if (file.format === 'lines') yield* this.loadLines(whole);
    else yield [whole, this.keep(whole, await this.read(whole, false))];
  }

  /** A fault of the file itself ends it and is told of the whole. */
  private async *loadLines(whole: RecordUnit): AsyncGenerator<readonly [RecordUnit, LoadedUnit]> {
    const { file } = whole;
    let lines = 0;
    try {
      for await (const { bytes, offset, number } of readLines(
        file.origin,
        this.decompressedBytesMax,
      )) {
        lines++;
        const unit = { file, line: { offset, number, sizeBytes: bytes.length } };
        yield [unit, this.keep(unit, parseUnit(unit, textOf(bytes), false))];
      }
      if (lines === 0) yield [whole, notARecord(whole, 'the file is empty')];
    } catch (error) {
      yield [whole, { status: 'fault', problem: problemOf(file, error) }];
    }
  }

  /** The content of a document, parsed without loss where asked. */
  async load(unit: RecordUnit, isLossless: boolean): Promise<LoadedUnit> {
    const known = this.latest?.unit === unit ? this.latest.kept : this.kept.get(unit);
    if (known !== undefined && (known.isLossless || !isLossless)) return known.loaded;
    const loaded = await this.read(unit, isLossless);
    this.latest = { unit, kept: { loaded, isLossless } };
    return loaded;
  }

  /** Ends whatever is still being read. */
  async close(): Promise<void> {
    await this.cursor?.close();
    this.cursor = null;
  }

  /** The document will not be asked for again. */
  release(unit: RecordUnit): void {
    if (this.kept.delete(unit)) this.keptBytes -= sizeOfUnit(unit);
    if (this.latest?.unit === unit) this.latest = null;
  }

  private keep(unit: RecordUnit, loaded: LoadedUnit): LoadedUnit {
    const kept = { loaded, isLossless: false };
    this.latest = { unit, kept };
    const sizeBytes = sizeOfUnit(unit);
    if (loaded.status === 'ok' && this.keptBytes + sizeBytes <= this.keptBytesMax) {
      this.kept.set(unit, kept);
      this.keptBytes += sizeBytes;
    }
    return loaded;
  }

  private async read(unit: RecordUnit, isLossless: boolean): Promise<LoadedUnit> {
    try {
      return parseUnit(unit, await this.textOf(unit), isLossless);
    } catch (error) {
      return { status: 'fault', problem: problemOf(unit.file, error) };
    }
  }

  private async textOf({ file, line }: RecordUnit): Promise<string> {
    if (line === null) return readText(file.origin, this.decompressedBytesMax);
    if (this.cursor?.file !== file) {
      await this.close();
      this.cursor = new LineCursor(
        file,
        this.decompressedBytesMax,
        await isCompressed(file.origin),
      );
    }
    return this.cursor.read(line);
  }
}

/**
 * Reads single lines of a file. A compressed file has to be read from its start, so lines behind
 * the last one cost a new start.
 */
class LineCursor {
  readonly file: InputFile;
  private readonly decompressedBytesMax: number;
  private readonly isCompressed: boolean;
  private lines: AsyncGenerator<Line> | null = null;
  private next = 0;

  constructor(file: InputFile, decompressedBytesMax: number, isCompressedFile: boolean) {
    this.file = file;
    this.decompressedBytesMax = decompressedBytesMax;
    this.isCompressed = isCompressedFile;
  }

  async close(): Promise<void> {
    await this.lines?.return(undefined);
    this.lines = null;
  }

  async read(line: NonNullable<RecordUnit['line']>): Promise<string> {
    return textOf(this.isCompressed ? await this.seek(line.offset) : await this.readAt(line));
  }

  private async readAt({ offset, sizeBytes }: NonNullable<RecordUnit['line']>): Promise<Buffer> {
    const handle = await open(this.file.origin);
    try {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(sizeBytes),
        0,
        sizeBytes,
        offset,
      );
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  private async seek(offset: number): Promise<Buffer> {
    if (offset < this.next) await this.close();
    this.lines ??= readLines(this.file.origin, this.decompressedBytesMax);
    for (;;) {
      const step = await this.lines.next();
      if (step.done === true) throw new ContentFault('unreadable', null, 'the file has changed');
      this.next = step.value.offset + 1;
      if (step.value.offset === offset) return step.value.bytes;
    }
  }
}

function parseUnit(unit: RecordUnit, text: string, isLossless: boolean): LoadedUnit {
  if (text.trim() === '') return notARecord(unit, 'the file is empty');
  let document: unknown;
  try {
    document = isLossless ? parseLossless(text) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { status: 'fault', problem: syntaxProblem(unit, text) };
  }
  const { records, rpcError } = findRecords(document);
  if (records.length > 0) return { status: 'ok', records };
  return notARecord(unit, rpcError ?? 'holds neither a block nor a transaction');
}

function notARecord(unit: RecordUnit, message: string): LoadedUnit {
  const position = linePosition(unit);
  const { origin } = unit.file;
  return { status: 'fault', problem: { code: 'not-a-record', origin, position, message } };
}

function syntaxProblem(unit: RecordUnit, text: string): SourceProblem {
  const fault = findJsonFault(text);
  const offset = Buffer.byteLength(text.slice(0, fault?.offset ?? 0));
  const position =
    unit.line === null
      ? `byte ${offset}, line ${fault?.line ?? 1}`
      : `line ${unit.line.number}, byte ${unit.line.offset + offset}`;
  const message = fault?.message ?? 'not JSON';
  return { code: 'not-json', origin: unit.file.origin, position, message };
}

/** `line 12`, or null where the document is the file. */
export function linePosition(unit: RecordUnit): string | null {
  return unit.line === null ? null : `line ${unit.line.number}`;
}

/** Faults of the input become problems; anything else is a bug and goes on. */
function problemOf(file: InputFile, error: unknown): SourceProblem {
  const { origin } = file;
  if (error instanceof ContentFault) {
    const { code, position, message } = error;
    return { code, origin, position, message };
  }
  if (!isSystemError(error)) throw error;
  return { code: 'unreadable', origin, position: null, message: systemMessage(error) };
}

/** Bytes of a document: of the line, or of the file as it is stored. */
export function sizeOfUnit({ file, line }: RecordUnit): number {
  return line?.sizeBytes ?? file.sizeBytes;
}

export function fileNameOf(unit: RecordUnit): string {
  return basename(unit.file.origin);
}
