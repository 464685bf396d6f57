import { statSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deviceError, interceptFiles } from '../../tests/support/file-operations.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { calmFold, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

const PART = 40;
/** After which the file could be read again: a state that is built without end is a failure. */
const READS_MAX = 60;

let facts: readonly SlotFacts[];
let calm: Awaited<ReturnType<typeof calmFold>>;
let fold: StoredFold;
let endFault: () => void = () => undefined;

beforeAll(async () => {
  facts = marketFacts(3 * PART);
  calm = await calmFold(facts);
});

beforeEach(() => {
  fold = new StoredFold();
});

afterEach(async () => {
  endFault();
  await fold.ingestion.close();
  fold.close();
});

const part = (index: number) => facts.slice(index * PART, (index + 1) * PART);

test.each(['ENOENT', 'EACCES', 'ESTALE'])(
  'a file that stays unreadable (%s) is done without: the state is computed from an older checkpoint',
  async (code) => {
    fold.sizes = { segmentBytes: 16_384, bufferBytes: 4_096, openFilesMax: 4 };
    let unreadable: string | null = null;
    let failedReads = 0;
    endFault = interceptFiles(fold.path, ({ kind, path }) => {
      if (kind !== 'read' || path !== unreadable || failedReads >= READS_MAX) return;
      failedReads++;
      throw deviceError(code);
    });
    await fold.open();
    await fold.ingest(part(0));
    const before = new Set(fold.files('segment-'));
    await fold.ingest(part(1));
    // The largest file that only the newest checkpoint has.
    const newer = fold.files('segment-').filter((path) => !before.has(path));
    [unreadable = null] = newer.toSorted((one, other) => statSync(other).size - statSync(one).size);
    await fold.follow(part(2));
    expect(failedReads).toBeGreaterThan(0);
    expect(failedReads).toBeLessThan(READS_MAX);
    expect(fold.ingestion.status.rebuilds).toBeGreaterThan(0);
    expect(fold.ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.rows.visibleRows()).toEqual(calm.rows);
  },
);
