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

/** Two checkpoints in files. */
interface TwoCheckpoints {
  /** The largest of the files that only the newest has. */
  readonly newest: string;
  readonly manifests: readonly string[];
  /** Files of the older one. */
  readonly older: ReadonlySet<string>;
}

async function twoCheckpoints(): Promise<TwoCheckpoints> {
  fold.sizes = { segmentBytes: 16_384, bufferBytes: 4_096, openFilesMax: 4 };
  await fold.open();
  await fold.ingest(part(0));
  const older = new Set(fold.files('segment-'));
  await fold.ingest(part(1));
  const newer = fold.files('segment-').filter((path) => !older.has(path));
  const [newest = ''] = newer.toSorted((one, other) => statSync(other).size - statSync(one).size);
  return { newest, manifests: fold.files('checkpoint-'), older };
}

/** Refuses to read files as long as they are among the given ones. */
function refuse(unreadable: ReadonlySet<string>, code: string, onRefused: () => void): void {
  endFault = interceptFiles(fold.path, ({ kind, path }) => {
    if (kind !== 'read' || !unreadable.has(path)) return;
    onRefused();
    throw deviceError(code);
  });
}

function expectCalm(): void {
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
  expect(fold.rows.visibleRows()).toEqual(calm.rows);
}

test.each(['ENOENT', 'EACCES', 'ESTALE'])(
  'a file that stays unreadable (%s) is done without: the state is computed from an older checkpoint',
  async (code) => {
    let failedReads = 0;
    const unreadable = new Set<string>();
    refuse(unreadable, code, () => {
      if (++failedReads >= READS_MAX) unreadable.clear();
    });
    const { newest } = await twoCheckpoints();
    unreadable.add(newest);
    await fold.follow(part(2));
    expect(failedReads).toBeGreaterThan(0);
    expect(failedReads).toBeLessThan(READS_MAX);
    expect(fold.ingestion.status.rebuilds).toBeGreaterThan(0);
    expectCalm();
  },
);

test('a device that fails for less than a minute is waited for: the newest checkpoint is used', async () => {
  let timeMs = 0;
  fold.nowMs = () => timeMs;
  const unreadable = new Set<string>();
  refuse(unreadable, 'EIO', () => {
    timeMs += 10_000;
    // Fewer failures than make a minute.
    if (timeMs >= 50_000) unreadable.clear();
  });
  const { newest, manifests } = await twoCheckpoints();
  fold.ingestion.keepTrying({ signal: new AbortController().signal });
  unreadable.add(newest);
  await fold.follow(part(2));
  expect(timeMs).toBe(50_000);
  expect(fold.sentences.filter((sentence) => sentence.includes('cannot be read.'))).toEqual([]);
  expect(fold.files('checkpoint-')).toEqual(expect.arrayContaining([...manifests]));
  expectCalm();
});

test.each([0, 20])(
  'after a minute of failures an older checkpoint is used, and none is removed for them (slot %i)',
  async (at) => {
    let timeMs = 0;
    let remaining: readonly string[] = [];
    fold.nowMs = () => timeMs;
    const unreadable = new Set<string>();
    refuse(unreadable, 'EIO', () => {
      timeMs += 10_000;
      remaining = fold.files('checkpoint-');
      if (timeMs >= 10_000 * READS_MAX) unreadable.clear();
    });
    const { older, manifests } = await twoCheckpoints();
    fold.ingestion.keepTrying({ signal: new AbortController().signal });
    await fold.follow(part(2), (index) => {
      // Later, what the log has after the checkpoint needs the record as well.
      if (index !== at) return;
      for (const path of fold.files('segment-')) if (!older.has(path)) unreadable.add(path);
    });
    expect(timeMs).toBeGreaterThanOrEqual(60_000);
    expect(timeMs).toBeLessThan(10_000 * READS_MAX);
    const { slot } = facts[PART - 1] ?? {};
    expect(fold.sentences).toContain(
      `Stored states cannot be read. The state is computed from that after slot ${slot}.`,
    );
    expect(remaining).toEqual(manifests);
    expectCalm();
  },
);

test('while a device reads none of the checkpoints the fold waits, however long', async () => {
  let timeMs = 0;
  let remaining: readonly string[] = [];
  fold.nowMs = () => timeMs;
  const unreadable = new Set<string>();
  refuse(unreadable, 'EIO', () => {
    timeMs += 50_000;
    remaining = fold.files('checkpoint-');
    if (timeMs >= 500_000) unreadable.clear();
  });
  const { manifests } = await twoCheckpoints();
  fold.ingestion.keepTrying({ signal: new AbortController().signal });
  for (const path of fold.files('segment-')) unreadable.add(path);
  await fold.follow(part(2));
  expect(timeMs).toBe(500_000);
  expect(remaining).toEqual(manifests);
  expectCalm();
});

test.each(['ESTALE', 'EACCES'])(
  'a refusal of all files that ends (%s) is waited for as a device is: no checkpoint is given up',
  async (code) => {
    let reads = 0;
    let remaining: readonly string[] = [];
    const unreadable = new Set<string>();
    refuse(unreadable, code, () => {
      remaining = fold.files('checkpoint-');
      if (++reads >= 10) unreadable.clear();
    });
    const { manifests } = await twoCheckpoints();
    fold.ingestion.keepTrying({ signal: new AbortController().signal });
    for (const path of fold.files('segment-')) unreadable.add(path);
    await fold.follow(part(2));
    expect(reads).toBe(10);
    expect(remaining).toEqual(manifests);
    expect(fold.sentences.join()).not.toContain('from the start of the log');
    expectCalm();
  },
);

test('a start uses an older checkpoint where the device does not read the newest', async () => {
  const unreadable = new Set<string>();
  const { newest } = await twoCheckpoints();
  await fold.ingest(part(2));
  await fold.ingestion.close();
  const last = fold.files('segment-').filter((path) => path >= newest);
  refuse(unreadable, 'EIO', () => undefined);
  for (const path of last) unreadable.add(path);
  await fold.open();
  expect(fold.sentences.join('\n')).toMatch(/The state after slot \d+ is not used: .*EIO/);
  expectCalm();
});
