import type { SourceProblem } from '../../model/errors.ts';
import type { Slot } from '../../model/units.ts';
import type { Source, SourceItem, SourceProgress, SourceSummary } from '../source.ts';
import type { FoundRecord } from './find-records.ts';
import { findInputs, type Inputs } from './input-files.ts';
import { problemIn, type ReadRecord, readRecord } from './read-record.ts';
import { RecordLoader } from './record-loader.ts';
import { slotOfRecord } from './record-slot.ts';
import { fileNameOf, type RecordUnit, sizeOfUnit } from './record-unit.ts';
import { type SlotEntry, SlotIndex } from './slot-index.ts';
import { SlotMerger } from './slot-merger.ts';

export interface RecordedOptions {
  /** Called after each document. */
  readonly onProgress?: (progress: SourceProgress) => void;
  /** Ends the iteration at the next document or slot, even while the slots are still being found. */
  readonly signal?: AbortSignal;
  /** Characters of documents that may stay parsed between the passes. */
  readonly keptTextMax?: number;
  /** A compressed file that grows beyond this is refused. */
  readonly decompressedBytesMax?: number;
}

/** Small inputs are parsed once. Above it, holding on to more costs more time than it saves. */
const KEPT_TEXT_MAX = 16 * 2 ** 20;
export const DECOMPRESSED_BYTES_MAX = 2 ** 30;

/**
 * The blocks and transactions that files hold, in slot order whatever the order of paths, files and
 * records. A first pass finds out which slots there are, a second reads them; what does not fit in
 * memory in between is read twice. Everything unusable is told as a problem, and the rest goes on.
 * Throws UsageError when no path leads anywhere.
 */
export function createRecordedSource(
  paths: readonly string[],
  options: RecordedOptions = {},
): Source {
  return new RecordedSource(findInputs(paths), options);
}

class RecordedSource implements Source {
  private readonly inputs: Inputs;
  private readonly options: RecordedOptions;
  private counts = noCounts();

  constructor(inputs: Inputs, options: RecordedOptions) {
    this.inputs = inputs;
    this.options = options;
  }

  get summary(): SourceSummary {
    return { ...this.counts };
  }

  private get isStopped(): boolean {
    return this.options.signal?.aborted === true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    this.counts = noCounts();
    const { keptTextMax = KEPT_TEXT_MAX, decompressedBytesMax = DECOMPRESSED_BYTES_MAX } =
      this.options;
    const loader = new RecordLoader(keptTextMax, decompressedBytesMax);
    try {
      const index = await this.indexFiles(loader);
      for (const problem of [...this.inputs.problems, ...index.problems]) yield this.told(problem);
      yield* this.readSlots(index, loader);
    } finally {
      await loader.close();
    }
  }

  private async *readSlots(index: SlotIndex, loader: RecordLoader): AsyncGenerator<SourceItem> {
    let bytesDone = 0;
    for (const { slot, entries } of index.slots()) {
      if (this.isStopped) return;
      const merger = new SlotMerger(slot);
      for (const entry of entries) {
        yield* this.readEntry(entry, loader, merger);
        if (!index.finish(entry)) continue;
        loader.release(entry.unit);
        bytesDone += sizeOfUnit(entry.unit);
      }
      yield* this.finishSlot(merger);
      this.report('reading', bytesDone, index.bytesTotal);
    }
  }

  private async indexFiles(loader: RecordLoader): Promise<SlotIndex> {
    const index = new SlotIndex();
    const opened = this.inputs.files.filter((file) => file.namedSlot === null);
    const bytesTotal = opened.reduce((sum, file) => sum + file.sizeBytes, 0);
    let bytesDone = 0;
    for (const file of this.inputs.files) {
      if (file.namedSlot !== null) {
        index.addNamed(file, file.namedSlot);
        continue;
      }
      for await (const [unit, loaded] of loader.loadFile(file)) {
        if (this.isStopped) return index;
        index.addUnit(unit, loaded);
      }
      bytesDone += file.sizeBytes;
      this.report('indexing', bytesDone, bytesTotal);
    }
    return index;
  }

  /** Adds the records of an entry to its slot; yields the problems they are instead. */
  private async *readEntry(
    { slot, unit, ordinal }: SlotEntry,
    loader: RecordLoader,
    merger: SlotMerger,
  ): AsyncGenerator<SourceItem> {
    const loaded = await loader.load(unit, false);
    if (loaded.status === 'fault') {
      yield this.told(loaded.problem);
      return;
    }
    const ordinals = ordinal === null ? loaded.records.keys() : [ordinal];
    for (const at of ordinals) {
      const read =
        misplaced(unit, loaded.records[at] as FoundRecord, slot) ??
        (await readRecord(loader, unit, (records) => records[at]));
      if (read.kind === 'problem') yield this.told(read.problem);
      else if (read.kind === 'block') merger.addBlock(read.block, unit.file.origin);
      else merger.addLoose(read.loose);
    }
  }

  private *finishSlot(merger: SlotMerger): Generator<SourceItem> {
    const block = merger.finish();
    this.counts.duplicates += merger.duplicates;
    for (const problem of merger.problems) yield this.told(problem);
    if (block === null) return;
    this.counts.blocks++;
    this.counts.transactions += block.transactions.length;
    this.counts.votes += block.voteCount;
    yield { kind: 'block', block };
  }

  private told(problem: SourceProblem): SourceItem {
    this.counts.problems++;
    return { kind: 'problem', problem };
  }

  private report(phase: SourceProgress['phase'], bytesDone: number, bytesTotal: number): void {
    this.options.onProgress?.({ phase, bytesDone, bytesTotal, ...this.counts });
  }
}

/** A file that was placed by its name must hold what the name says. */
function misplaced(unit: RecordUnit, record: FoundRecord, slot: Slot): ReadRecord | null {
  const own = slotOfRecord(record, fileNameOf(unit));
  if (own === slot) return null;
  const message = `the file name promises slot ${slot}, the ${record.kind} is of slot ${own ?? 'unknown'}`;
  return {
    kind: 'problem',
    problem: problemIn(unit, record, { code: 'bad-transaction', position: null, message }),
  };
}

function noCounts(): { -readonly [Name in keyof SourceSummary]: number } {
  return { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
}
