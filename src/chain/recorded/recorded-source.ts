import { mapAhead } from '../../lib/map-ahead.ts';
import type { SourceProblem } from '../../model/errors.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Slot } from '../../model/units.ts';
import type { Source, SourceItem, SourceProgress, SourceSummary } from '../source.ts';
import { CONTENT_BOUNDS, type ContentBounds } from './file-content.ts';
import type { FoundRecord } from './find-records.ts';
import { findInputs, type Inputs } from './input-files.ts';
import type { RawBlockDecoder } from './raw-block.ts';
import { problemIn, type ReadRecord, type RecordLoading, readRecord } from './read-record.ts';
import { RecordLoader } from './record-loader.ts';
import { slotOfRecord } from './record-slot.ts';
import { fileNameOf, parseContent, type RecordUnit, sizeOfUnit } from './record-unit.ts';
import { type SlotEntry, SlotIndex } from './slot-index.ts';
import { SlotMerger } from './slot-merger.ts';

export interface RecordedOptions {
  /** Called after each document. */
  readonly onProgress?: (progress: SourceProgress) => void;
  /** Ends the iteration at the next document or slot, also during the first pass. */
  readonly signal?: AbortSignal;
  /** Bound on characters of documents that stay parsed between the passes. */
  readonly keptTextMax?: number;
  readonly bounds?: Partial<ContentBounds>;
  /** Decodes blocks that are documents of their own; they are then returned as facts. */
  readonly decoder?: RawBlockDecoder | null;
}

/**
 * Small inputs are parsed once. Above this size, keeping documents costs more time than it saves.
 */
const KEPT_TEXT_MAX = 16 * 2 ** 20;

/**
 * The blocks and transactions in files, in slot order, independent of the order of paths, files and
 * records. A first pass finds the slots, a second reads them; documents beyond the memory bound are
 * read twice. Everything unusable is reported as a problem, and the rest is still processed. Throws
 * UsageError when no path exists.
 */
export function createRecordedSource(
  paths: readonly string[],
  options: RecordedOptions = {},
): Source {
  return new RecordedSource(findInputs(paths), options);
}

/** A document that seems to be one block and nothing else. */
interface RawEntry {
  readonly entry: SlotEntry;
  readonly bytes: Buffer;
}

/** The items of a slot, and how many bytes have been processed after it. */
interface SlotItems {
  readonly items: readonly SourceItem[];
  readonly bytesDone: number;
}

interface SlotStep extends SlotItems {
  /** Null where the items are known. */
  readonly raw: RawEntry | null;
}

class RecordedSource implements Source {
  readonly areBlocksFinal = true;
  private readonly inputs: Inputs;
  private readonly options: RecordedOptions;
  private readonly decoder: RawBlockDecoder | null;
  private counts = noCounts();

  constructor(inputs: Inputs, options: RecordedOptions) {
    this.inputs = inputs;
    this.options = options;
    this.decoder = options.decoder ?? null;
  }

  get summary(): SourceSummary {
    return { ...this.counts };
  }

  private get isStopped(): boolean {
    return this.options.signal?.aborted === true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    this.counts = noCounts();
    const { keptTextMax = KEPT_TEXT_MAX, bounds } = this.options;
    const loader = new RecordLoader(keptTextMax, { ...CONTENT_BOUNDS, ...bounds });
    try {
      const index = await this.indexFiles(loader);
      const problems = [...this.inputs.problems, ...index.problems];
      for (const problem of problems) yield this.toItem(problem);
      yield* this.readSlots(index, loader);
    } finally {
      await loader.close();
    }
  }

  private async *readSlots(index: SlotIndex, loader: RecordLoader): AsyncGenerator<SourceItem> {
    const aheadMax = this.decoder?.aheadMax ?? 1;
    const steps = mapAhead(
      this.slotSteps(index, loader),
      (step) => this.finishStep(step),
      aheadMax,
    );
    for await (const { items, bytesDone } of steps) {
      yield* items;
      this.report('reading', bytesDone, index.bytesTotal);
    }
  }

  /** For each slot its items, or the bytes of the one block that seems to be its only content. */
  private async *slotSteps(index: SlotIndex, loader: RecordLoader): AsyncGenerator<SlotStep> {
    let bytesDone = 0;
    for (const { slot, entries } of index.slots()) {
      if (this.isStopped) return;
      const raw = await this.rawBlockOf(entries, index, loader);
      const items = raw === null ? await this.readSlot(slot, entries, loader) : [];
      for (const entry of entries) {
        if (!index.finish(entry)) continue;
        loader.release(entry.unit);
        bytesDone += sizeOfUnit(entry.unit);
      }
      yield { raw, items, bytesDone };
    }
  }

  /** The bytes of a block that can be decoded elsewhere. Null: the slot must be read here. */
  private async rawBlockOf(
    [entry, other]: readonly SlotEntry[],
    index: SlotIndex,
    loader: RecordLoader,
  ): Promise<RawEntry | null> {
    if (this.decoder === null || entry === undefined || other !== undefined) return null;
    const bytes = index.isBlockAlone(entry) ? await loader.readBytes(entry.unit) : null;
    return bytes === null ? null : { entry, bytes };
  }

  private async finishStep({ raw, items, bytesDone }: SlotStep): Promise<SlotItems> {
    if (raw === null || this.decoder === null) return { items, bytesDone };
    return { items: await this.decode(raw, this.decoder), bytesDone };
  }

  private async decode(
    { entry, bytes }: RawEntry,
    decoder: RawBlockDecoder,
  ): Promise<readonly SourceItem[]> {
    const { slot, unit } = entry;
    const { origin } = unit.file;
    const raw = { slot, encoding: 'recorded', origin, content: bytes } as const;
    const decoding = await decoder.decode(raw);
    if (decoding.status === 'decoded') return [this.decoded(decoding.facts)];
    if (decoding.status === 'unreadable') return this.readSlot(slot, [entry], loadingOf(bytes));
    const stopped = { code: 'decoder-stopped', position: null, message: decoding.message } as const;
    return [this.toItem(problemIn(unit, null, stopped))];
  }

  /** All records of a slot, as its problems followed by one block. */
  private async readSlot(
    slot: Slot,
    entries: readonly SlotEntry[],
    loading: RecordLoading,
  ): Promise<readonly SourceItem[]> {
    const merger = new SlotMerger(slot);
    const items: SourceItem[] = [];
    for (const entry of entries) items.push(...(await this.readEntry(entry, loading, merger)));
    items.push(...this.finishSlot(merger));
    return items;
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

  /** Adds the records of an entry to its slot; returns the problems found instead. */
  private async readEntry(
    { slot, unit, ordinal }: SlotEntry,
    loading: RecordLoading,
    merger: SlotMerger,
  ): Promise<readonly SourceItem[]> {
    const loaded = await loading.load(unit, false);
    if (loaded.status === 'fault') return [this.toItem(loaded.problem)];
    const problems: SourceItem[] = [];
    const ordinals = ordinal === null ? loaded.records.keys() : [ordinal];
    for (const at of ordinals) {
      const read =
        slotMismatch(unit, loaded.records[at] as FoundRecord, slot) ??
        (await readRecord(loading, unit, (records) => records[at]));
      if (read.kind === 'problem') problems.push(this.toItem(read.problem));
      else if (read.kind === 'block') merger.addBlock(read.block, unit.file.origin);
      else merger.addLoose(read.loose);
    }
    return problems;
  }

  private finishSlot(merger: SlotMerger): readonly SourceItem[] {
    const block = merger.finish();
    this.counts.duplicates += merger.duplicates;
    const items = merger.problems.map((problem) => this.toItem(problem));
    if (block === null) return items;
    this.count(block.transactions.length, block.voteCount);
    return [...items, { kind: 'block', block }];
  }

  private decoded(facts: SlotFacts): SourceItem {
    this.count(facts.transactions.length, facts.voteCount);
    return { kind: 'facts', facts };
  }

  private count(transactions: number, votes: number): void {
    this.counts.blocks++;
    this.counts.transactions += transactions;
    this.counts.votes += votes;
  }

  private toItem(problem: SourceProblem): SourceItem {
    this.counts.problems++;
    return { kind: 'problem', problem };
  }

  private report(phase: SourceProgress['phase'], bytesDone: number, bytesTotal: number): void {
    this.options.onProgress?.({ phase, bytesDone, bytesTotal, ...this.counts });
  }
}

/** A file that was indexed by its name must contain the slot in the name. */
function slotMismatch(unit: RecordUnit, record: FoundRecord, slot: Slot): ReadRecord | null {
  const own = slotOfRecord(record, fileNameOf(unit));
  if (own === slot) return null;
  const message = `the file name promises slot ${slot}, the ${record.kind} is of slot ${own ?? 'unknown'}`;
  return {
    kind: 'problem',
    problem: problemIn(unit, record, { code: 'bad-transaction', position: null, message }),
  };
}

/** Loads a document that is already in memory. */
function loadingOf(bytes: Buffer): RecordLoading {
  return { load: async (unit, isLossless) => parseContent(unit, bytes, isLossless) };
}

function noCounts(): { -readonly [Name in keyof SourceSummary]: number } {
  return { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
}
