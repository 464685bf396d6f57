import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SourceItem } from '../../src/chain/source.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { CheckpointPace } from '../../src/ingestion/checkpoint-pace.ts';
import { EngineStates, type StateSurroundings } from '../../src/ingestion/engine-states.ts';
import { Ingestion } from '../../src/ingestion/ingestion.ts';
import type { IngestionHooks } from '../../src/ingestion/ingestion-run.ts';
import type { PagePoolOptions } from '../../src/lib/pages/page-pool-options.ts';
import type { SourceProblem } from '../../src/model/errors.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asSlot } from '../../src/model/units.ts';
import type { RecordStoreSizes } from '../../src/store/checkpoints/open-records.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import { itemSource } from './item-source.ts';
import { finalSlots } from './market-ingestion.ts';
import { fallbackSolUsd } from './master-fixture.ts';
import { MemoryStore } from './memory-store.ts';

const ENGINE = { fallbackSolUsd, undoSlotsMax: 64 };
/** So few pages and objects that most of the state leaves memory after each slot. */
const SMALL: Omit<PagePoolOptions, 'store'> = { pagesMax: 20, objectBytesMax: 20_000 };
/** Slots that may still be reverted. */
const LAG = 3;

/** Ingestion whose rows are in memory and whose state is in files. */
export class StoredFold {
  readonly path = mkdtempSync(join(tmpdir(), 'stored-fold-'));
  readonly rows = new MemoryStore();
  readonly sentences: string[] = [];
  readonly problems: SourceProblem[] = [];
  ingestion!: Ingestion;
  /** The rules and the retention of the log of the next process. */
  rules = 'rules';
  logRetentionMs: number | null = null;
  /** Sizes of its files and how often it stores its state, where they differ from production. */
  sizes: Partial<RecordStoreSizes> = {};
  pace: Partial<CheckpointPace> = {};
  createStates = (surroundings: StateSurroundings) => new EngineStates(surroundings);
  nowMs = () => 77;
  /** Whether ingestion said that it rebuilds its state when it removed a damaged one. */
  wasRebuilding = false;
  /** The checkpoints that were there after it. */
  remaining: readonly string[] = [];
  private readonly hooks: IngestionHooks = {
    ...{ writeAfterMs: 0, refoldAfterMs: 0 },
    onProblem: (problem) => this.problems.push(problem),
    onStateProblem: (sentence) => {
      this.sentences.push(sentence);
      if (sentence.endsWith('was removed: it contains the damage.')) {
        this.wasRebuilding ||= this.ingestion.isRebuilding;
        this.remaining = this.files('checkpoint-').map((path) => basename(path));
      }
    },
  };

  /** Opens what is stored, as a new process does. */
  async open(memory = SMALL): Promise<Ingestion> {
    const store = this.rows.open();
    const folders = new StateFolders(this.path, undefined, this.sizes);
    const { rules, logRetentionMs, pace } = this;
    const { log, logStart } = store;
    const parts = { folders, log, logStart, rules, engine: ENGINE, memory, pace };
    const states = this.createStates(parts);
    const createEngine = () => new Engine(ENGINE);
    this.ingestion = await Ingestion.open(
      { store, createEngine, states, rules, logRetentionMs, nowMs: () => this.nowMs() },
      this.hooks,
    );
    return this.ingestion;
  }

  /** Ingests final slots, and stores a checkpoint after the last one. */
  async ingest(facts: readonly SlotFacts[]): Promise<void> {
    await this.ingestion.ingest(finalSlots(facts), this.hooks);
  }

  /** Follows the slots as a chain; `onItem` runs before each item. */
  async follow(facts: readonly SlotFacts[], onItem?: (index: number) => void): Promise<void> {
    await this.ingestion.ingest(itemSource(followed(facts, onItem), false), this.hooks);
  }

  /** Files of the state whose names begin like this, oldest first. */
  files(prefix: string): string[] {
    const names = readdirSync(this.path, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => (name.split('/').at(-1) ?? '').startsWith(prefix))
      .sort()
      .map((name) => join(this.path, name));
  }

  close(): void {
    this.rows.close();
    rmSync(this.path, { recursive: true });
  }
}

/** Changes one bit of each `every` bytes of a file, from one of them on. */
export function flipBits(path: string, { from = 0, every = Number.POSITIVE_INFINITY } = {}): void {
  const bytes = readFileSync(path);
  for (let at = from; at < bytes.length; at += every) {
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  }
  writeFileSync(path, bytes);
}

/** Digest and rows of slots that were applied one after the other, in memory. */
export async function calmFold(facts: readonly SlotFacts[]) {
  const engine = new Engine(ENGINE);
  const store = new MemoryStore();
  const changes = facts.map((each) => engine.apply(each));
  await store.open().writer.writeBatch({ epoch: 1, slots: facts, changes });
  const rows = store.visibleRows();
  store.close();
  return { digest: engine.digest(), rows };
}

async function* followed(
  facts: readonly SlotFacts[],
  onItem: ((index: number) => void) | undefined,
): AsyncGenerator<SourceItem> {
  for (const [index, each] of facts.entries()) {
    onItem?.(index);
    yield { kind: 'facts', facts: each };
    const final = facts[index - LAG];
    if (final !== undefined) yield { kind: 'final', slot: final.slot };
    const [before, last] = [facts[index - 2], facts[index - 1]];
    // Every second slot two blocks come twice: the branch with them is left and taken again.
    if (index % 2 === 0 || last === undefined || before?.blockhash == null) continue;
    yield { kind: 'undo', toSlot: before.slot, toBlockhash: before.blockhash };
    yield { kind: 'facts', facts: last };
    yield { kind: 'facts', facts: each };
  }
  const last = facts.at(-1);
  if (last !== undefined) yield { kind: 'final', slot: asSlot(last.slot) };
}
