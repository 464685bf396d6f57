import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deviceError, interceptFiles } from '../../tests/support/file-operations.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { calmFold, flipBits, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

const PART = 40;
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
  fold.sizes = { segmentBytes: 16_384, bufferBytes: 4_096, openFilesMax: 4 };
});
afterEach(async () => {
  endFault();
  await fold.ingestion.close().catch(() => undefined);
  fold.close();
});
const part = (index: number) => facts.slice(index * PART, (index + 1) * PART);
const refuse = (unreadable: ReadonlySet<string>, code: string) => {
  endFault = interceptFiles(fold.path, ({ kind, path }) => {
    if (kind === 'read' && unreadable.has(path)) throw deviceError(code);
  });
};

test.each([
  ['newest', 'EIO'],
  ['oldest', 'EIO'],
  ['oldest', 'EACCES'],
])('a start does without the %s manifest that cannot be read (%s)', async (which, code) => {
  await fold.open();
  for (const index of [0, 1, 2]) await fold.ingest(part(index));
  await fold.ingestion.close();
  const manifests = fold.files('checkpoint-');
  expect(manifests.length).toBeGreaterThan(1);
  refuse(new Set([(which === 'newest' ? manifests.at(-1) : manifests[0]) ?? '']), code);
  await fold.open();
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
  const saysSo = fold.sentences.some((sentence) => sentence.includes(code));
  expect(saysSo).toBe(which === 'newest');
});

test('a start whose device reads no manifest ends with its failure, and removes none', async () => {
  await fold.open();
  for (const index of [0, 1]) await fold.ingest(part(index));
  await fold.ingestion.close();
  const manifests = fold.files('checkpoint-');
  refuse(new Set(manifests), 'EIO');
  await expect(fold.open()).rejects.toThrow(/Checkpoints cannot be read: EIO/);
  expect(fold.files('checkpoint-')).toEqual(manifests);
  endFault();
  await fold.open();
  await fold.ingest(part(2));
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
});

test('a state is computed again although the oldest manifest cannot be read (ESTALE)', async () => {
  const unreadable = new Set<string>();
  refuse(unreadable, 'ESTALE');
  await fold.open();
  await fold.ingest(part(0));
  const older = new Set(fold.files('segment-'));
  const [oldest = ''] = fold.files('checkpoint-');
  await fold.ingest(part(1));
  for (const path of fold.files('segment-'))
    if (!older.has(path)) flipBits(path, { from: 64, every: 512 });
  unreadable.add(oldest);
  await fold.follow(part(2));
  expect(fold.ingestion.status.rebuilds).toBeGreaterThan(0);
  expect(fold.ingestion.engine.digest()).toBe(calm.digest);
});
