import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { StoreError } from '../../src/model/errors.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { CursorTable } from '../../src/store/control/cursor.ts';
import { Snapshots } from '../../src/store/snapshots/snapshots.ts';
import { Lane } from '../../src/store/sql/lane.ts';
import { SqlError } from '../../src/store/sql/sql-session.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { marketFacts } from '../support/followed-market.ts';
import { finalSlots, openMarketService } from '../support/market-ingestion.ts';
import { storedRows } from '../support/stored-rows.ts';

const SLOTS = 60;
/** The first half is stored before the second arrives: two batches, cursors and snapshots. */
const HALF = SLOTS / 2;

/** Kinds of writes, in their order: rows of a table, the cursor, a snapshot. */
type Write = 'rows' | 'cursor' | 'snapshot';

/** Tables are created and registered when the folder is opened. */
const SENTENCES = {
  rows: /^(Writing slot|The folder .* cannot be opened).*Input\/output error/,
  cursor: /^The cursor cannot be moved/,
};

/** Counts writes, and makes one of them fail as a device does. */
class FailingDevice {
  readonly writes: Write[] = [];
  private readonly failing: number | null;

  constructor(failing: number | null) {
    this.failing = failing;
    const insert = Lane.prototype.insert;
    const move = CursorTable.prototype.write;
    const save = Snapshots.prototype.write;
    const note = (write: Write, error: Error) => this.note(write, error);
    vi.spyOn(Lane.prototype, 'insert').mockImplementation(async function (this: Lane, ...given) {
      note('rows', new SqlError('Cannot write to file: Input/output error', 75));
      await insert.apply(this, given);
    });
    vi.spyOn(CursorTable.prototype, 'write').mockImplementation(function (
      this: CursorTable,
      ...given
    ) {
      note('cursor', new StoreError('The cursor cannot be moved: disk I/O error'));
      move.apply(this, given);
    });
    vi.spyOn(Snapshots.prototype, 'write').mockImplementation(function (this: Snapshots, ...given) {
      note('snapshot', new StoreError('The snapshot cannot be written: EIO'));
      return save.apply(this, given);
    });
  }

  private note(write: Write, error: Error): void {
    const number = this.writes.push(write) - 1;
    if (number === this.failing) throw error;
  }
}

/** Stores both halves; returns the digest and the reported snapshot problems. */
async function store(dataDir: string, facts: readonly SlotFacts[]) {
  const sentences: string[] = [];
  const hooks = { onSnapshotProblem: (sentence: string) => sentences.push(sentence) };
  const service = await openMarketService(dataDir);
  try {
    await service.ingestion.ingest(finalSlots(facts.slice(0, HALF)), hooks);
    await service.ingestion.ingest(finalSlots(facts.slice(HALF)), hooks);
    return { digest: service.ingestion.engine.digest(), sentences };
  } finally {
    await service.close();
  }
}

describe('a device that fails at one write (F-15)', () => {
  const facts = marketFacts(SLOTS);
  const calmDir = temporaryFolder();
  let calmDigest = '';
  let calmRows: Record<string, unknown> = {};
  let calmWrites: readonly Write[] = [];

  beforeAll(async () => {
    const device = new FailingDevice(null);
    calmDigest = (await store(calmDir, facts)).digest;
    vi.restoreAllMocks();
    calmRows = await storedRows(calmDir);
    calmWrites = device.writes;
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('at any write ends the run with one message and no further write, and the next start loses nothing', async () => {
    expect(new Set(calmWrites)).toEqual(new Set<Write>(['rows', 'cursor', 'snapshot']));
    for (const [failing, write] of calmWrites.entries()) {
      const dataDir = temporaryFolder();
      const device = new FailingDevice(failing);
      const run = store(dataDir, facts);
      if (write === 'snapshot') {
        // A snapshot only saves time: the run continues and reports the failure.
        const { digest, sentences } = await run;
        expect(digest).toBe(calmDigest);
        expect(sentences.join()).toContain('is not kept: The snapshot cannot be written: EIO');
        expect(device.writes).toEqual(calmWrites);
      } else {
        await expect(run).rejects.toThrow(StoreError);
        await expect(run).rejects.toThrow(SENTENCES[write]);
        expect(device.writes).toEqual(calmWrites.slice(0, failing + 1));
      }
      vi.restoreAllMocks();
      const again = await store(dataDir, facts);
      expect(again.sentences).toEqual([]);
      expect(again.digest).toBe(calmDigest);
      expect(await storedRows(dataDir)).toEqual(calmRows);
    }
  }, 300_000);
});
