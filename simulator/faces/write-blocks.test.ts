import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRecordedSource } from '../../src/chain/recorded/recorded-source.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import { plainTransaction } from '../../tests/support/plain-transaction.ts';
import { SmallMarket } from '../../tests/support/small-market.ts';
import { toChainBlock } from './to-chain-block.ts';
import type { FileOutput } from './whole-files.ts';
import { BlockFiles, type BlockFilesOptions } from './write-blocks.ts';

const blocks = new SmallMarket({ seed: 'files', votes: 1 })
  .steps(40)
  .filter(({ isCanonical }) => isCanonical)
  .map(({ block }) => block);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-blocks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function optionsOf(options: Partial<BlockFilesOptions>): BlockFilesOptions {
  return { folder, encoding: 'base64', compression: null, blocksPerFile: 1, ...options };
}

async function readBack(): Promise<{ blocks: ChainBlock[]; problems: unknown[] }> {
  const read: ChainBlock[] = [];
  const problems: unknown[] = [];
  for await (const item of createRecordedSource([folder])) {
    if (item.kind === 'block') read.push(item.block);
    else if (item.kind === 'problem') problems.push(item.problem);
  }
  return { blocks: read, problems };
}

function plain({ transactions, ...block }: ChainBlock) {
  return { ...block, transactions: transactions.map(plainTransaction) };
}

describe('block files', () => {
  test.each([
    ['one answer a file', {}, /^block_4\d{8}\.json$/, 1],
    ['one answer a file, gzip', { compression: 'gz' }, /^block_4\d{8}\.json\.gz$/, 1],
    ['lines', { blocksPerFile: 7 }, /^blocks_4\d{8}\.jsonl$/, 7],
    ['lines, zstd', { blocksPerFile: 7, compression: 'zst' }, /^blocks_4\d{8}\.jsonl\.zst$/, 7],
    ['parsed lines', { blocksPerFile: 7, encoding: 'jsonParsed' }, /^blocks_4\d{8}\.jsonl$/, 7],
  ] as const)('are read back completely: %s', async (_, options, name, perFile) => {
    const files = new BlockFiles(optionsOf(options));
    for (const block of blocks) expect(await files.add(block)).toEqual({ status: 'ok' });
    expect(await files.finish()).toEqual({ status: 'ok' });
    const read = await readBack();
    expect(read.problems).toEqual([]);
    expect(read.blocks.map(plain)).toEqual(blocks.map(toChainBlock).map(plain));
    const names = readdirSync(folder);
    expect(names.every((each) => name.test(each))).toBe(true);
    expect(names.length).toBe(Math.ceil(blocks.length / perFile));
    const bytes = names.reduce((sum, each) => sum + statSync(join(folder, each)).size, 0);
    const { count, bytes: counted } = files.files;
    expect([count, counted, files.blocks]).toEqual([names.length, bytes, blocks.length]);
    expect(files.lastSlot).toBe(blocks.at(-1)?.slot);
  });

  test('contain exactly the answer to getBlock when there is one block in each', async () => {
    const files = new BlockFiles(optionsOf({ encoding: 'json' }));
    const [block] = blocks;
    if (block === undefined) throw new Error('no block');
    await files.add(block);
    const text = readFileSync(join(folder, `block_${block.slot}.json`), 'utf8');
    expect(Object.keys(JSON.parse(text) as object)[0]).toBe('blockHeight');
    expect(text.endsWith('}')).toBe(true);
  });
});

describe('a full disk', () => {
  /** Fails in the middle of the third file, like a full disk. */
  function failingAt(third: number, operation: 'write' | 'rename'): FileOutput {
    let calls = 0;
    const fail = (): never => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    return {
      write: async (path, content) => {
        const isLast = operation === 'write' && ++calls === third;
        await writeFile(path, isLast ? content.subarray(0, content.length / 2) : content);
        if (isLast) fail();
      },
      rename: async (from, to) => {
        if (operation === 'rename' && ++calls === third) fail();
        await rename(from, to);
      },
      remove: (path) => rm(path, { force: true }),
    };
  }

  test.each(['write', 'rename'] as const)(
    'at %s leaves every complete file and no part of one',
    async (operation) => {
      const files = new BlockFiles(optionsOf({}), failingAt(3, operation));
      const outcomes = [];
      for (const block of blocks.slice(0, 3)) outcomes.push(await files.add(block));
      expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'failed']);
      expect(outcomes[2]).toMatchObject({
        path: join(folder, `block_${blocks[2]?.slot}.json`),
        message: 'ENOSPC: no space left on device, write',
      });
      expect(files.lastSlot).toBe(blocks[1]?.slot);
      const read = await readBack();
      expect(read.problems).toEqual([]);
      expect(read.blocks.map(({ slot }) => slot)).toEqual(
        blocks.slice(0, 2).map(({ slot }) => slot),
      );
      expect(readdirSync(folder).length).toBe(2);
    },
  );

  test('that also fails to remove a partial file leaves one that readers ignore', async () => {
    const output = { ...failingAt(2, 'write'), remove: () => Promise.reject(new Error('EROFS')) };
    const files = new BlockFiles(optionsOf({}), output);
    for (const block of blocks.slice(0, 2)) await files.add(block);
    expect(readdirSync(folder).length).toBe(2);
    const read = await readBack();
    expect(read.problems).toEqual([]);
    expect(read.blocks.length).toBe(1);
  });

  test('rethrows errors that are not disk failures', async () => {
    const output = { ...failingAt(9, 'write'), write: () => Promise.reject('not an error') };
    const [block] = blocks;
    if (block === undefined) throw new Error('no block');
    await expect(new BlockFiles(optionsOf({}), output).add(block)).rejects.toBe('not an error');
  });
});
