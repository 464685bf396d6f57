import { type ContentBounds, ContentFault, readBytes, textOf } from './file-content.ts';
import type { InputFile } from './input-files.ts';
import { LineCursor } from './line-cursor.ts';
import { readLines } from './read-lines.ts';
import {
  type LoadedUnit,
  notARecord,
  parseContent,
  parseUnit,
  problemOf,
  type RecordUnit,
} from './record-unit.ts';

/** A parsed document that is kept in memory. */
interface Kept {
  readonly loaded: LoadedUnit;
  readonly isLossless: boolean;
}

/**
 * Reads and parses documents. Those within the memory bound stay parsed from the first pass to the
 * second; of the rest only the most recent one does.
 */
export class RecordLoader {
  private readonly keptTextMax: number;
  private readonly bounds: ContentBounds;
  private readonly kept = new Map<RecordUnit, Kept>();
  private keptText = 0;
  private latest: { readonly unit: RecordUnit; readonly kept: Kept } | null = null;
  private cursor: LineCursor | null = null;

  constructor(keptTextMax: number, bounds: ContentBounds) {
    this.keptTextMax = keptTextMax;
    this.bounds = bounds;
  }

  /**
   * Reads a file for the first time, its documents in order, and keeps those within the memory
   * bound.
   */
  async *loadFile(file: InputFile): AsyncGenerator<readonly [RecordUnit, LoadedUnit]> {
    const whole: RecordUnit = { file, line: null };
    if (file.format === 'lines') yield* this.loadLines(whole);
    else yield [whole, this.keep(whole, await this.read(whole, false))];
  }

  /** A fault of the file itself ends it and is reported for the whole file. */
  private async *loadLines(whole: RecordUnit): AsyncGenerator<readonly [RecordUnit, LoadedUnit]> {
    const { file } = whole;
    let lines = 0;
    try {
      for await (const { bytes, offset, number } of readLines(file.origin, this.bounds)) {
        lines++;
        const unit = { file, line: { offset, number, sizeBytes: bytes?.length ?? 0 } };
        const loaded = bytes === null ? this.tooLong(unit) : parseUnit(unit, textOf(bytes), false);
        yield [unit, this.keep(unit, loaded)];
      }
      if (lines === 0) yield [whole, notARecord(whole, 'the file is empty')];
    } catch (error) {
      yield [whole, { status: 'fault', problem: problemOf(file, error) }];
    }
  }

  private tooLong({ file, line }: RecordUnit): LoadedUnit {
    const position = line === null ? null : `line ${line.number}, byte ${line.offset}`;
    const message = `the line is longer than ${this.bounds.documentBytesMax} bytes`;
    const fault = new ContentFault('unreadable', position, message);
    return { status: 'fault', problem: problemOf(file, fault) };
  }

  /** The content of a document, parsed losslessly on request. */
  async load(unit: RecordUnit, isLossless: boolean): Promise<LoadedUnit> {
    const known = this.latest?.unit === unit ? this.latest.kept : this.kept.get(unit);
    if (known !== undefined && (known.isLossless || !isLossless)) return known.loaded;
    const loaded = await this.read(unit, isLossless);
    this.latest = { unit, kept: { loaded, isLossless } };
    return loaded;
  }

  /** The content of a document that is not kept parsed; also null where it cannot be read. */
  async readBytes(unit: RecordUnit): Promise<Buffer | null> {
    if (this.latest?.unit === unit || this.kept.has(unit)) return null;
    try {
      return await this.bytesOf(unit);
    } catch (error) {
      problemOf(unit.file, error);
      return null;
    }
  }

  /** Closes the file that is still open. */
  async close(): Promise<void> {
    await this.cursor?.close();
    this.cursor = null;
  }

  /** Releases a document that is not needed again. */
  release(unit: RecordUnit): void {
    this.keptText -= weightOf(this.kept.get(unit)?.loaded);
    this.kept.delete(unit);
    if (this.latest?.unit === unit) this.latest = null;
  }

  private keep(unit: RecordUnit, loaded: LoadedUnit): LoadedUnit {
    const kept = { loaded, isLossless: false };
    this.latest = { unit, kept };
    const weight = weightOf(loaded);
    if (weight > 0 && this.keptText + weight <= this.keptTextMax) {
      this.kept.set(unit, kept);
      this.keptText += weight;
    }
    return loaded;
  }

  private async read(unit: RecordUnit, isLossless: boolean): Promise<LoadedUnit> {
    try {
      return parseContent(unit, await this.bytesOf(unit), isLossless);
    } catch (error) {
      return { status: 'fault', problem: problemOf(unit.file, error) };
    }
  }

  private async bytesOf({ file, line }: RecordUnit): Promise<Buffer> {
    if (line === null) return readBytes(file.origin, this.bounds);
    if (this.cursor?.file !== file) {
      await this.close();
      this.cursor = new LineCursor(file, this.bounds);
    }
    return this.cursor.read(line);
  }
}

function weightOf(loaded: LoadedUnit | undefined): number {
  return loaded?.status === 'ok' ? loaded.textLength : 0;
}
