import { mkdirSync, readdirSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { signature } from '../../../tests/support/build-transaction.ts';
import { lines, outline, RecordFolder, wordOf } from '../../../tests/support/record-folder.ts';
import { readAll } from '../../../tests/support/recorded-reading.ts';
import { rpcBlock, rpcLoose, rpcTransaction } from '../../../tests/support/rpc-records.ts';
import type { SourceProgress } from '../source.ts';
import { createRecordedSource } from './recorded-source.ts';

const folder = new RecordFolder();

describe('order', () => {
  test('is by slot and index for any order of paths, with or without memory for parsed input', async () => {
    const paths = [
      folder.write('9.json', rpcBlock(300_000_009, ['a'])),
      folder.write('batch.json', [
        { jsonrpc: '2.0', id: 1, result: rpcLoose(300_000_005, 'c') },
        { jsonrpc: '2.0', id: 2, result: rpcBlock(300_000_003, ['d', 'b']) },
      ]),
      folder.write('stream.jsonl', lines(rpcLoose(300_000_007, 'f'), rpcLoose(300_000_005, 'e'))),
      folder.write(
        'late.ndjson.zst',
        zstdCompressSync(lines(rpcLoose(300_000_007, 'g'), rpcLoose(300_000_001, 'a'))),
      ),
      folder.write('300000011.json', rpcBlock(300_000_011, [])),
      folder.write('broken.json', '{'),
      folder.join('missing.json'),
    ];
    const expected = [
      '300000001: a',
      '300000003+: d b',
      `300000005: ${inSignatureOrder('c', 'e')}`,
      `300000007: ${inSignatureOrder('f', 'g')}`,
      '300000009+: a',
      '300000011+: ',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(paths, { minLength: paths.length }),
        fc.constantFrom(0, 600, 2 ** 20),
        async (shuffled, keptTextMax) => {
          const { blocks, problems } = await readAll(shuffled, { keptTextMax });
          expect(outline(blocks)).toEqual(expected);
          expect(problems.map(({ code }) => code)).toEqual(['unreadable', 'not-json']);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('within a slot is by recorded index, records without one last', async () => {
    const path = folder.write('one.json', [
      rpcLoose(5, 'a'),
      { ...rpcLoose(5, 'b'), transactionIndex: 7 },
      { ...rpcLoose(5, 'c'), transactionIndex: 2 },
      { ...rpcLoose(5, 'd'), transactionIndex: 2 },
    ]);
    const { blocks } = await readAll([path]);
    expect(outline(blocks)).toEqual([`5: c b ${inSignatureOrder('a', 'd')}`]);
    expect(blocks[0]?.transactions.map(({ txIndex }) => txIndex)).toEqual([2, 7, null, null]);
  });
});

describe('a slot', () => {
  test('with a whole block absorbs copies of single transactions', async () => {
    folder.write('a.json', rpcLoose(8, 'b'));
    folder.write('b.json', rpcBlock(8, ['a', 'b']));
    folder.write('c.json', [rpcLoose(8, 'a'), rpcLoose(8, 'a')]);
    const { blocks, summary } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['8+: a b']);
    expect(blocks[0]).toMatchObject({ voteCount: 1, parentSlot: 7 });
    expect(summary).toMatchObject({ blocks: 1, transactions: 2, votes: 1, duplicates: 3 });
  });

  test('is not whole when its block lacks a known transaction', async () => {
    folder.write('a.json', rpcBlock(8, ['a']));
    folder.write('b.json', rpcLoose(8, 'b'));
    expect(outline((await readAll([folder.path])).blocks)).toEqual(['8: a b']);
  });

  test('recorded twice is yielded once, and complete when each copy was cut', async () => {
    folder.write('a.json', rpcBlock(8, ['a']));
    folder.write('b.json', rpcBlock(8, ['a']));
    const twice = await readAll([folder.path]);
    expect(outline(twice.blocks)).toEqual(['8+: a']);
    expect(twice.summary.duplicates).toBe(1);
    folder.write('c.json', rpcBlock(8, ['b']));
    const { blocks } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['8: a b']);
    // Both claim the position after the vote; the first copy keeps it.
    expect(blocks[0]?.transactions.map(({ txIndex }) => txIndex)).toEqual([1, null]);
  });

  test('with two blocks keeps the one of the first file and reports the other', async () => {
    folder.write('2.json', rpcBlock(8, ['b'], 'fork'));
    folder.write('1.json', rpcBlock(8, ['a']));
    const { blocks, problems } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['8+: a']);
    expect(problems).toMatchObject([
      { code: 'bad-transaction', origin: folder.join('2.json'), position: 'slot 8' },
    ]);
  });

  test('falls back to the second copy where the first is invalid', async () => {
    const cut = rpcLoose(8, 'a');
    folder.write('1.json', { ...cut, meta: null });
    folder.write('2.json', cut);
    const { blocks, problems } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['8: a']);
    expect(problems).toMatchObject([
      {
        code: 'missing-meta',
        origin: folder.join('1.json'),
        position: `signature ${signature('a')}`,
      },
    ]);
  });

  test('is yielded as a whole or not at all', async () => {
    const block = rpcBlock(8, ['a', 'b']);
    const transactions = block.transactions.with(2, {
      ...rpcTransaction('b'),
      meta: null as never,
    });
    folder.write('8.json', { ...block, transactions });
    folder.write('9.json', rpcBlock(9, ['c']));
    const { blocks, problems } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['9+: c']);
    const position = `transaction 2, signature ${signature('b')}`;
    expect(problems).toMatchObject([{ code: 'missing-meta', position }]);
  });
});

test('integers above 2^53 are exact, in every kind of file and position', async () => {
  const huge = 9_007_199_254_740_993n;
  const withHuge = (value: object) => JSON.stringify(value).replaceAll('[10,0,1]', `[${huge},0,1]`);
  folder.write('block.json', withHuge(rpcBlock(8, ['a'])));
  folder.write('batch.json', `[${JSON.stringify(rpcLoose(9, 'b'))},${withHuge(rpcLoose(9, 'c'))}]`);
  folder.write(
    'x.jsonl.gz',
    gzipSync(`${withHuge(rpcLoose(10, 'd'))}\n${withHuge(rpcLoose(7, 'e'))}\n`),
  );
  for (const keptTextMax of [0, 2 ** 20]) {
    const { blocks, problems } = await readAll([folder.path], { keptTextMax });
    expect(problems).toEqual([]);
    const lamports = blocks.flatMap(({ transactions }) =>
      transactions.map((one) => [wordOf(one.signature), one.lamportsBefore[0]]),
    );
    expect(Object.fromEntries(lamports)).toEqual({ e: huge, a: huge, b: 10n, c: huge, d: huge });
  }
});

test('progress ends at the file sizes, where files named by slot are indexed without being read', async () => {
  const batch = [rpcLoose(8, 'a'), rpcLoose(9, 'b')];
  const named = rpcBlock(300_000_012, []);
  folder.write('a.json', batch);
  folder.write('300000012.json', named);
  const seen: SourceProgress[] = [];
  const { summary } = await readAll([folder.path], {
    onProgress: (progress) => seen.push(progress),
  });
  expect(summary).toEqual({ blocks: 3, transactions: 2, votes: 1, duplicates: 0, problems: 0 });
  const batchBytes = JSON.stringify(batch).length;
  const allBytes = batchBytes + JSON.stringify(named).length;
  const nothing = { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 };
  expect(seen).toEqual([
    { phase: 'indexing', bytesDone: batchBytes, bytesTotal: batchBytes, ...nothing },
    {
      phase: 'reading',
      bytesDone: 0,
      bytesTotal: allBytes,
      ...nothing,
      blocks: 1,
      transactions: 1,
    },
    {
      phase: 'reading',
      bytesDone: batchBytes,
      bytesTotal: allBytes,
      ...nothing,
      blocks: 2,
      transactions: 2,
    },
    { phase: 'reading', bytesDone: allBytes, bytesTotal: allBytes, ...summary },
  ]);
});

test('a source starts over when it is iterated again, and may be left early', async () => {
  folder.write('x.jsonl.gz', gzipSync(lines(rpcLoose(9, 'a'), rpcLoose(8, 'b'))));
  const source = createRecordedSource([folder.path], { keptTextMax: 0 });
  for await (const item of source) {
    expect(item).toMatchObject({ kind: 'block', block: { slot: 8 } });
    break;
  }
  const slots: number[] = [];
  for await (const item of source) if (item.kind === 'block') slots.push(item.block.slot);
  expect(slots).toEqual([8, 9]);
  expect(source.summary.blocks).toBe(2);
});

test('a stopped source ends during the first pass, and between slots', async () => {
  folder.write('a.jsonl', lines(rpcLoose(8, 'a'), rpcLoose(9, 'b')));
  folder.write('b.json', rpcLoose(10, 'c'));
  for (const phase of ['indexing', 'reading'] as const) {
    const stopping = new AbortController();
    const { blocks } = await readAll([folder.path], {
      signal: stopping.signal,
      onProgress: (progress) => {
        if (progress.phase === phase) stopping.abort();
      },
    });
    expect(outline(blocks)).toEqual(phase === 'indexing' ? [] : ['8: a']);
  }
});

test('no temporary file remains of a compressed file that is read backwards, nor when left early', async () => {
  const temporary = folder.join('temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  const path = folder.write(
    'x.jsonl.gz',
    gzipSync(lines(rpcLoose(10, 'c'), rpcLoose(9, 'b'), rpcLoose(8, 'a'))),
  );
  let most = 0;
  for (const blocksMax of [2, 3]) {
    let blocks = 0;
    for await (const item of createRecordedSource([path], { keptTextMax: 0 })) {
      expect(item).toMatchObject({ kind: 'block', block: { slot: 8 + blocks } });
      most = Math.max(most, readdirSync(temporary).length);
      blocks++;
      if (blocks === blocksMax) break;
    }
    expect(readdirSync(temporary)).toEqual([]);
  }
  expect(most).toBe(1);
  vi.unstubAllEnvs();
});

function inSignatureOrder(...words: readonly string[]): string {
  return words.toSorted((one, other) => (signature(one) < signature(other) ? -1 : 1)).join(' ');
}
