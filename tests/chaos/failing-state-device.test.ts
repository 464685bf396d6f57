import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { deviceError, type FileOperation, interceptFiles } from '../support/file-operations.ts';
import { marketFacts } from '../support/followed-market.ts';
import { calmFold, StoredFold } from '../support/stored-fold.ts';

const SLOTS = 80;
const HALF = SLOTS / 2;
/** Operations that fail before the device works again. */
const FAILURES = 5;
let facts: readonly SlotFacts[];
let calm: Awaited<ReturnType<typeof calmFold>>;
let endFault = () => undefined as unknown;

beforeAll(async () => {
  facts = marketFacts(SLOTS);
  calm = await calmFold(facts);
});

afterEach(() => endFault());

const WRITES: readonly FileOperation['kind'][] = ['create', 'write', 'sync', 'rename', 'remove'];

describe('a device that fails while the state uses it (F-15, H-03)', () => {
  test.each([
    ['a full disk', 'ENOSPC', WRITES],
    ['a read-only file system', 'EROFS', WRITES],
    ['writes that fail', 'EIO', WRITES],
    ['reads that fail', 'EIO', ['read'] as const],
    ['reads and writes that fail', 'EIO', ['read', ...WRITES] as const],
  ])(
    '%s (%s): the fold goes on or waits, and the state is that of a calm run, then and after a start',
    async (_name, code, kinds) => {
      const fold = new StoredFold();
      let failures = FAILURES;
      endFault = interceptFiles(fold.path, ({ kind }) => {
        if (failures === FAILURES || !kinds.includes(kind as never)) return;
        failures++;
        throw deviceError(code);
      });
      const ingestion = await fold.open();
      await fold.ingest(facts.slice(0, HALF));
      const waits: string[] = [];
      ingestion.keepTrying({
        signal: new AbortController().signal,
        onFailing: ({ reason }) => waits.push(reason),
      });
      failures = 0;
      await fold.follow(facts.slice(HALF));
      expect(failures).toBeGreaterThan(0);
      const isReading = kinds.includes('read' as never);
      expect(waits.join()).toMatch(isReading ? /The state cannot be used: .*EIO/ : /^$/);
      expect(ingestion.engine.digest()).toBe(calm.digest);
      expect(fold.rows.visibleRows()).toEqual(calm.rows);
      await ingestion.close();
      endFault();
      fold.sentences.length = 0;
      await fold.open();
      expect(fold.ingestion.engine.digest()).toBe(calm.digest);
      expect(fold.sentences).toEqual([]);
      await fold.ingestion.close();
      fold.close();
    },
    300_000,
  );

  test('reads that fail while a checkpoint begins: the digest is right, and so is what is stored later', async () => {
    const fold = new StoredFold();
    let failures = FAILURES;
    endFault = interceptFiles(fold.path, ({ kind }) => {
      if (failures === FAILURES || kind !== 'read') return;
      // The sums are brought up to date there: some of them were, and some not.
      if (!(new Error('here').stack ?? '').includes('beginCheckpoint')) return;
      failures++;
      throw deviceError('EIO');
    });
    Error.stackTraceLimit = 40;
    const ingestion = await fold.open();
    ingestion.keepTrying({ signal: new AbortController().signal });
    await fold.ingest(facts.slice(0, HALF));
    failures = 0;
    await fold.follow(facts.slice(HALF));
    Error.stackTraceLimit = 10;
    expect(failures).toBeGreaterThan(0);
    expect(fold.ingestion.status.rebuilds).toBeGreaterThan(0);
    expect(ingestion.engine.digest()).toBe(calm.digest);
    await ingestion.close();
    endFault();
    await fold.open();
    expect(fold.ingestion.engine.digest()).toBe(calm.digest);
    await fold.ingestion.close();
    fold.close();
  });

  test('what a failed sync lost is computed again, and no checkpoint is removed or has it', async () => {
    const fold = new StoredFold();
    fold.pace = { everySlots: 10, slotsBetweenMin: 5 };
    const durable = new Map<string, number>();
    let losses = 1;
    endFault = interceptFiles(fold.path, ({ kind, path }) => {
      if (kind !== 'sync' || !basename(path).startsWith('segment-')) return;
      if (losses === 1) durable.set(path, statSync(path).size);
      else {
        losses++;
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0, durable.get(path) ?? 0));
        throw deviceError('EIO');
      }
    });
    // So much memory that nothing is read again: only the next checkpoint can find the loss.
    const ingestion = await fold.open({ pagesMax: 100_000, objectBytesMax: 100_000_000 });
    await fold.ingest(facts.slice(0, HALF));
    losses = 0;
    await fold.follow(facts.slice(HALF));
    expect(losses).toBe(1);
    expect(ingestion.status.rebuilds).toBe(1);
    expect(fold.sentences.filter((each) => each.includes('was removed'))).toEqual([]);
    expect(ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.rows.visibleRows()).toEqual(calm.rows);
    await ingestion.close();
    endFault();
    fold.sentences.length = 0;
    await fold.open();
    expect(fold.ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.ingestion.status.rebuilds).toBe(0);
    expect(fold.sentences).toEqual([]);
    await fold.ingestion.close();
    fold.close();
  });

  test('a device that never takes the state costs its checkpoints only, and is reported once', async () => {
    const fold = new StoredFold();
    const ingestion = await fold.open();
    await fold.ingest(facts.slice(0, HALF));
    endFault = interceptFiles(fold.path, ({ kind }) => {
      if (WRITES.includes(kind)) throw deviceError('ENOSPC');
    });
    await fold.ingest(facts.slice(HALF, HALF + 20));
    await fold.ingest(facts.slice(HALF + 20));
    expect(ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.sentences).toEqual([
      expect.stringMatching(/^The state cannot be stored: .*ENOSPC/),
    ]);
    endFault();
    await ingestion.close();
    await fold.open();
    expect(fold.ingestion.engine.digest()).toBe(calm.digest);
    expect(fold.rows.visibleRows()).toEqual(calm.rows);
    await fold.ingestion.close();
    fold.close();
  });
});
