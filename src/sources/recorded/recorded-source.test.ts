import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signature } from '../../../tests/support/build-transaction.ts';
import { rpcBlock, rpcLoose, rpcTransaction } from '../../../tests/support/rpc-records.ts';
import { type SourceProblem, UsageError } from '../../model/errors.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import type { SourceProgress } from '../source.ts';
import { createRecordedSource, type RecordedOptions } from './recorded-source.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recorded-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file below the test's folder and returns its path. */
function write(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
  return path;
}

function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function readAll(paths: readonly string[], options: RecordedOptions = {}) {
  const source = createRecordedSource(paths, options);
  const blocks: ChainBlock[] = [];
  const problems: SourceProblem[] = [];
  for await (const item of source) {
    if (item.kind === 'block') blocks.push(item.block);
    else problems.push(item.problem);
  }
  return { blocks, problems, summary: source.summary };
}

/** `slot:` and the words of its transactions, `+` after the slot of a whole block. */
function outline(blocks: readonly ChainBlock[]): string[] {
  return blocks.map(
    ({ slot, isWhole, transactions }) =>
      `${slot}${isWhole ? '+' : ''}: ${transactions.map((one) => wordOf(one.signature)).join(' ')}`,
  );
}

const WORDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const WORD_OF = new Map<string, string>(WORDS.map((word) => [signature(word), word]));
function wordOf(text: string): string {
  return WORD_OF.get(text) ?? text;
}

describe('order', () => {
  test('is by slot and index whatever the order of paths, with or without memory', async () => {
    const paths = [
      write('9.json', rpcBlock(300_000_009, ['a'])),
      write('batch.json', [
        { jsonrpc: '2.0', id: 1, result: rpcLoose(300_000_005, 'c') },
        { jsonrpc: '2.0', id: 2, result: rpcBlock(300_000_003, ['d', 'b']) },
      ]),
      write('stream.jsonl', lines(rpcLoose(300_000_007, 'f'), rpcLoose(300_000_005, 'e'))),
      write(
        'late.ndjson.zst',
        zstdCompressSync(lines(rpcLoose(300_000_007, 'g'), rpcLoose(300_000_001, 'a'))),
      ),
      write('300000011.json', rpcBlock(300_000_011, [])),
      write('broken.json', '{'),
      join(folder, 'missing.json'),
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
        async (shuffled, keptBytesMax) => {
          const { blocks, problems } = await readAll(shuffled, { keptBytesMax });
          expect(outline(blocks)).toEqual(expected);
          expect(problems.map(({ code }) => code)).toEqual(['unreadable', 'not-json']);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('within a slot is by the index that records tell, the others after them', async () => {
    const path = write('one.json', [
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
  test('of a whole block absorbs loose copies', async () => {
    write('a.json', rpcLoose(8, 'b'));
    write('b.json', rpcBlock(8, ['a', 'b']));
    write('c.json', [rpcLoose(8, 'a'), rpcLoose(8, 'a')]);
    const { blocks, summary } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['8+: a b']);
    expect(blocks[0]).toMatchObject({ voteCount: 1, parentSlot: 7 });
    expect(summary).toMatchObject({ blocks: 1, transactions: 2, votes: 1, duplicates: 3 });
  });

  test('is not whole when a transaction is known that its block lacks', async () => {
    write('a.json', rpcBlock(8, ['a']));
    write('b.json', rpcLoose(8, 'b'));
    expect(outline((await readAll([folder])).blocks)).toEqual(['8: a b']);
  });

  test('recorded twice comes once, and in full when each copy was cut', async () => {
    write('a.json', rpcBlock(8, ['a']));
    write('b.json', rpcBlock(8, ['a']));
    const twice = await readAll([folder]);
    expect(outline(twice.blocks)).toEqual(['8+: a']);
    expect(twice.summary.duplicates).toBe(1);
    write('c.json', rpcBlock(8, ['b']));
    const { blocks } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['8: a b']);
    // Both claim the place after the vote; the first copy keeps it.
    expect(blocks[0]?.transactions.map(({ txIndex }) => txIndex)).toEqual([1, null]);
  });

  test('with two blocks keeps the one of the first file and tells of the other', async () => {
    write('2.json', rpcBlock(8, ['b'], 'fork'));
    write('1.json', rpcBlock(8, ['a']));
    const { blocks, problems } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['8+: a']);
    expect(problems).toMatchObject([
      { code: 'bad-transaction', origin: join(folder, '2.json'), position: 'slot 8' },
    ]);
  });

  test('falls back to the second copy where the first cannot be believed', async () => {
    const cut = rpcLoose(8, 'a');
    write('1.json', { ...cut, meta: null });
    write('2.json', cut);
    const { blocks, problems } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['8: a']);
    expect(problems).toMatchObject([
      {
        code: 'missing-meta',
        origin: join(folder, '1.json'),
        position: `signature ${signature('a')}`,
      },
    ]);
  });

  test('is yielded whole or not at all', async () => {
    const block = rpcBlock(8, ['a', 'b']);
    const transactions = block.transactions.with(2, {
      ...rpcTransaction('b'),
      meta: null as never,
    });
    write('8.json', { ...block, transactions });
    write('9.json', rpcBlock(9, ['c']));
    const { blocks, problems } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['9+: c']);
    const position = `transaction 2, signature ${signature('b')}`;
    expect(problems).toMatchObject([{ code: 'missing-meta', position }]);
  });
});

describe('the slot of a block', () => {
  test.each([
    ['block.json', {}, 300_000_008],
    ['block.json', { slot: 300_000_123 }, 300_000_123],
    ['of-300000012-again.json', {}, 300_000_012],
    ['of-300000007.json', {}, 300_000_008],
    ['of-300001008.json', {}, 300_000_008],
    ['300000012.json', {}, 300_000_012],
    ['block_300000012.json', {}, 300_000_012],
  ])(
    'in %s is its own word, else what the name can mean, else after its parent',
    async (name, own, slot) => {
      write(name, { ...rpcBlock(300_000_008, []), ...own });
      const { blocks, problems } = await readAll([folder]);
      expect(problems).toEqual([]);
      expect(blocks.map((block) => block.slot)).toEqual([slot]);
    },
  );

  test('must be the one that a file name promised', async () => {
    const path = write('300000012.json', { ...rpcBlock(300_000_008, []), slot: 300_000_009 });
    expect((await readAll([path])).problems).toEqual([
      {
        code: 'bad-transaction',
        origin: path,
        position: null,
        message: 'the file name promises slot 300000012, the block is of slot 300000009',
      },
    ]);
  });
});

describe('files', () => {
  const block = rpcBlock(8, ['a']);
  const text = JSON.stringify(block);
  const half = zstdCompressSync(text.slice(0, 99));

  test.each<[string, string | Buffer]>([
    ['plain.json', text],
    ['mark.json', `\ufeff${text}`],
    ['no-extension', text],
    ['content-hash.29868c83', text],
    ['x.json.gz', gzipSync(text)],
    ['x.json.zst', zstdCompressSync(text)],
    ['two-frames.json.zst', Buffer.concat([half, zstdCompressSync(text.slice(99))])],
    ['two-members.json.gz', Buffer.concat([gzipSync(text.slice(0, 99)), gzipSync(text.slice(99))])],
    ['mislabelled.json', gzipSync(text)],
    ['lines.jsonl', `\n${text}\r\n\n`],
    ['lines.ndjson', text],
    ['lines.jsonl.gz', gzipSync(`${text}\n`)],
    ['lines.ndjson.zst', zstdCompressSync(`${text}\n`)],
  ])('named %s are read', async (name, content) => {
    write(join('deep', 'er', name), content);
    for (const keptBytesMax of [0, 2 ** 20]) {
      const { blocks, problems } = await readAll([folder], { keptBytesMax });
      expect(problems).toEqual([]);
      expect(outline(blocks)).toEqual(['8+: a']);
    }
  });

  test('that hold something else by their name are read only when named themselves', async () => {
    const path = write('block.txt', text);
    write('.hidden.json', text);
    write('other.json', rpcBlock(9, []));
    expect(outline((await readAll([folder])).blocks)).toEqual(['9+: ']);
    expect(outline((await readAll([path])).blocks)).toEqual(['8+: a']);
  });

  test('are found by globs', async () => {
    write('a-1.json', rpcBlock(8, []));
    write('a-2.json', rpcBlock(9, []));
    write('b-1.json', rpcBlock(10, []));
    const { blocks, problems } = await readAll([join(folder, 'a-*.json'), join(folder, 'z-*')]);
    expect(outline(blocks)).toEqual(['8+: ', '9+: ']);
    expect(problems).toMatchObject([{ code: 'unreadable', origin: join(folder, 'z-*') }]);
  });

  test('named in several ways, or linked, are read once', async () => {
    const path = write('a.json', rpcLoose(8, 'a'));
    symlinkSync(folder, join(folder, 'loop'));
    symlinkSync(path, join(folder, 'link.json'));
    const { blocks, summary } = await readAll([folder, path, join(folder, '*.json')]);
    expect(outline(blocks)).toEqual(['8: a']);
    expect(summary.duplicates).toBe(0);
  });
});

describe('unusable input', () => {
  const text = JSON.stringify(rpcBlock(8, ['a']));
  const gzip = gzipSync(text);
  const zstd = zstdCompressSync(text);

  test.each<[string, string | Buffer, Partial<SourceProblem>]>([
    [
      'cut.json',
      text.slice(0, 200),
      {
        code: 'not-json',
        position: 'byte 200, line 1',
        message: 'the text ends in the middle',
      },
    ],
    ['page.json', '<html>', { code: 'not-json', position: 'byte 0, line 1' }],
    ['accents.json', '{"é":\n?}', { code: 'not-json', position: 'byte 7, line 2' }],
    ['empty.json', '', { code: 'not-a-record', message: 'the file is empty' }],
    ['empty.jsonl', '\n', { code: 'not-a-record', message: 'the file is empty' }],
    ['number.json', '5', { code: 'not-a-record' }],
    ['null.json', '{"result":null}', { code: 'not-a-record' }],
    [
      'error.json',
      '{"jsonrpc":"2.0","error":{"code":-32007,"message":"Slot 5 was skipped"},"id":1}',
      {
        code: 'not-a-record',
        message: 'Slot 5 was skipped (RPC error -32007)',
      },
    ],
    [
      'cut.json.gz',
      gzip.subarray(0, 100),
      {
        code: 'corrupt-archive',
        position: `compressed byte 100 of 100`,
        message: 'unexpected end of file',
      },
    ],
    [
      'cut.json.zst',
      zstd.subarray(0, 100),
      {
        code: 'corrupt-archive',
        position: `compressed byte 100 of 100`,
        message: 'unexpected end of file',
      },
    ],
    ['tail.json.zst', Buffer.concat([zstd, Buffer.from('tail')]), { code: 'corrupt-archive' }],
    [
      'no-slot.json',
      JSON.stringify(rpcTransaction('a')),
      {
        code: 'no-slot',
        message: 'the transaction tells no slot, so it has no place in the order',
      },
    ],
    [
      'encoding.json',
      JSON.stringify({ ...rpcLoose(8, 'a'), transaction: ['AA==', 'hex'] }),
      {
        code: 'bad-encoding',
        message: 'unknown encoding "hex"',
      },
    ],
  ])('%s is told and the rest read', async (name, content, problem) => {
    const origin = write(name, content);
    write('good.json', rpcBlock(9, ['b']));
    const { blocks, problems, summary } = await readAll([folder]);
    expect(problems).toMatchObject([{ origin, ...problem }]);
    expect(outline(blocks)).toEqual(['9+: b']);
    expect(summary.problems).toBe(1);
  });

  test('on one line is told by line and byte, and the other lines are read', async () => {
    const first = lines(rpcLoose(8, 'a'));
    const origin = write(
      'x.jsonl',
      `${first}{"a":}\n${lines(rpcTransaction('b'))}${lines(rpcLoose(9, 'c'))}{"cut`,
    );
    const { blocks, problems } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['8: a', '9: c']);
    const end =
      first.length + 7 + lines(rpcTransaction('b')).length + lines(rpcLoose(9, 'c')).length;
    expect(problems).toMatchObject([
      { origin, code: 'not-json', position: `line 2, byte ${first.length + 5}` },
      { origin, code: 'no-slot', position: 'line 3' },
      { origin, code: 'not-json', position: `line 5, byte ${end + 5}` },
    ]);
  });

  test('in a compressed file of lines leaves the lines before it', async () => {
    const incompressible = Array.from({ length: 3_000 }, (_, index) => index ** 3 % 7_919).join();
    const content = lines(rpcLoose(8, 'a'), { filler: incompressible }, rpcLoose(9, 'b'));
    const archive = gzipSync(content);
    write('x.jsonl.gz', archive.subarray(0, archive.length - 400));
    const { blocks, problems } = await readAll([folder]);
    expect(outline(blocks)).toEqual(['8: a']);
    expect(problems).toMatchObject([{ code: 'corrupt-archive' }]);
  });

  test('in a folder is that nothing in it can be read', async () => {
    mkdirSync(join(folder, 'empty'));
    write('good.json', rpcBlock(9, ['b']));
    const { problems } = await readAll([join(folder, 'empty'), join(folder, 'good.json')]);
    expect(problems).toMatchObject([{ code: 'not-a-record', origin: join(folder, 'empty') }]);
  });

  test.skipIf(process.getuid?.() === 0)('is a file without permission', async () => {
    const origin = write('locked.json', rpcBlock(8, []));
    chmodSync(origin, 0);
    write('good.json', rpcBlock(9, []));
    const { blocks, problems } = await readAll([folder]);
    expect(problems).toMatchObject([{ code: 'unreadable', origin, message: 'permission denied' }]);
    expect(outline(blocks)).toEqual(['9+: ']);
  });

  test('is an archive that grows beyond all bounds', async () => {
    write('bomb.json.zst', zstdCompressSync(Buffer.alloc(2 ** 22, 32)));
    write('bomb.jsonl.gz', gzipSync(Buffer.alloc(2 ** 22, 32)));
    const { problems } = await readAll([folder], { decompressedBytesMax: 2 ** 20 });
    const message = 'more than 1048576 bytes when decompressed';
    expect(problems).toMatchObject([
      { code: 'corrupt-archive', message },
      { code: 'corrupt-archive', message },
    ]);
  });

  test('is a wrong command when no path leads anywhere', () => {
    const paths = [join(folder, 'none.json'), join(folder, '*.json')];
    expect(() => createRecordedSource(paths)).toThrow(UsageError);
    expect(() => createRecordedSource([])).toThrow(UsageError);
  });
});

test('integers beyond 2^53 are exact, in every kind of file and position', async () => {
  const huge = 9_007_199_254_740_993n;
  const withHuge = (value: object) => JSON.stringify(value).replaceAll('[10,0,1]', `[${huge},0,1]`);
  write('block.json', withHuge(rpcBlock(8, ['a'])));
  write('batch.json', `[${JSON.stringify(rpcLoose(9, 'b'))},${withHuge(rpcLoose(9, 'c'))}]`);
  write('x.jsonl.gz', gzipSync(`${withHuge(rpcLoose(10, 'd'))}\n${withHuge(rpcLoose(7, 'e'))}\n`));
  for (const keptBytesMax of [0, 2 ** 20]) {
    const { blocks, problems } = await readAll([folder], { keptBytesMax });
    expect(problems).toEqual([]);
    const lamports = blocks.flatMap(({ transactions }) =>
      transactions.map((one) => [wordOf(one.signature), one.lamportsBefore[0]]),
    );
    expect(Object.fromEntries(lamports)).toEqual({ e: huge, a: huge, b: 10n, c: huge, d: huge });
  }
});

test('progress ends at the sizes of the files, those named by slot being indexed unread', async () => {
  const batch = [rpcLoose(8, 'a'), rpcLoose(9, 'b')];
  const named = rpcBlock(300_000_012, []);
  write('a.json', batch);
  write('300000012.json', named);
  const seen: SourceProgress[] = [];
  const { summary } = await readAll([folder], { onProgress: (progress) => seen.push(progress) });
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

test('a source starts again when it is iterated again, and may be left early', async () => {
  write('x.jsonl.gz', gzipSync(lines(rpcLoose(9, 'a'), rpcLoose(8, 'b'))));
  const source = createRecordedSource([folder], { keptBytesMax: 0 });
  for await (const item of source) {
    expect(item).toMatchObject({ kind: 'block', block: { slot: 8 } });
    break;
  }
  const slots: number[] = [];
  for await (const item of source) if (item.kind === 'block') slots.push(item.block.slot);
  expect(slots).toEqual([8, 9]);
  expect(source.summary.blocks).toBe(2);
});

function inSignatureOrder(...words: readonly string[]): string {
  return words.toSorted((one, other) => (signature(one) < signature(other) ? -1 : 1)).join(' ');
}
