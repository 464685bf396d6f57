import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import { createDecodePool } from '../../src/chain/threads/decode-pool.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { PriceE18 } from '../../src/model/units.ts';
import { runCommand, temporaryFolder, writeLines } from '../support/command-line.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { storedRows } from '../support/stored-rows.ts';
import { hasTestData, testData } from '../support/test-data.ts';

interface Folded {
  readonly digest: string;
  readonly problems: readonly unknown[];
  /** Slots that workers decoded. */
  readonly decodedAhead: number;
  readonly slots: number;
}

/** Folds files without keeping parsed text in memory, so that workers decode all blocks. */
async function fold(paths: readonly string[], workers: number): Promise<Folded> {
  const engine = new Engine({ fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 });
  const decoder = createDecodePool(workers);
  const problems: unknown[] = [];
  let decodedAhead = 0;
  try {
    for await (const item of createRecordedSource(paths, { decoder, keptTextMax: 0 })) {
      if (item.kind === 'problem') problems.push(item.problem);
      if (item.kind === 'block') engine.apply(decodeBlock(item.block));
      if (item.kind === 'facts') engine.apply(item.facts);
      if (item.kind === 'facts') decodedAhead++;
    }
  } finally {
    await decoder?.close();
  }
  return { digest: engine.digest(), problems, decodedAhead, slots: engine.counters.slots };
}

const FIRST_SLOT = 400_000_000;
const BLOCKS = 60;
const inputs = temporaryFolder();
const market = marketBlocks(BLOCKS, FIRST_SLOT);

describe('decode workers', () => {
  test.each([1, 2])('%i of them give the digest of a fold without workers', async (workers) => {
    const path = writeLines(inputs, 'market.jsonl', market);
    const alone = await fold([path], 0);
    const shared = await fold([path], workers);
    // The last line is kept parsed from the search for the file's slots.
    expect([alone.decodedAhead, shared.decodedAhead]).toEqual([0, BLOCKS - 1]);
    expect(shared).toEqual({ ...alone, decodedAhead: shared.decodedAhead });
  });

  test('store the rows of a replay without workers, in the first run and in a repeated one', async () => {
    const folder = temporaryFolder();
    for (const [index, block] of market.entries()) {
      writeLines(folder, `block_${FIRST_SLOT + index}.json`, [block]);
    }
    const replay = async (dataDir: string, workers: number) => {
      const args = [
        'replay',
        folder,
        '--json',
        '--data-dir',
        dataDir,
        '--decode-workers',
        `${workers}`,
      ];
      const { exitCode, stdout, stderr } = await runCommand(args);
      expect(exitCode, stderr).toBe(0);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    };
    const [aloneFolder, sharedFolder] = [temporaryFolder(), temporaryFolder()];
    const alone = await replay(aloneFolder, 0);
    expect(alone).toMatchObject({ slots: BLOCKS, added: { slots: BLOCKS, known_slots: 0 } });
    expect(await replay(sharedFolder, 2)).toEqual(alone);
    expect(await storedRows(sharedFolder)).toEqual(await storedRows(aloneFolder));
    expect(await replay(sharedFolder, 2)).toMatchObject({
      digest: alone.digest,
      added: { slots: 0, known_slots: BLOCKS },
    });
  });
});

const chain = join(testData, 'chain');
describe.skipIf(!hasTestData)('decode workers on recorded mainnet data', () => {
  let alone: Folded | null = null;
  beforeAll(async () => {
    alone = await fold([chain], 0);
  });

  test.each([1, 2])('%i of them change neither digest nor problems', async (workers) => {
    const shared = await fold([chain], workers);
    expect(shared.decodedAhead).toBeGreaterThan(0);
    expect(shared).toEqual({ ...alone, decodedAhead: shared.decodedAhead });
  });
});
