import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outline, RecordFolder } from '../../../tests/support/record-folder.ts';
import { readAll } from '../../../tests/support/recorded-reading.ts';
import { rpcBlock, rpcLoose } from '../../../tests/support/rpc-records.ts';

const folder = new RecordFolder();

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
    'in %s is its own field, else the one in the name, else the one after its parent',
    async (name, own, slot) => {
      folder.write(name, { ...rpcBlock(300_000_008, []), ...own });
      const { blocks, problems } = await readAll([folder.path]);
      expect(problems).toEqual([]);
      expect(blocks.map((block) => block.slot)).toEqual([slot]);
    },
  );

  test('must be the one in the file name', async () => {
    const path = folder.write('300000012.json', {
      ...rpcBlock(300_000_008, []),
      slot: 300_000_009,
    });
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
    folder.write(join('deep', 'er', name), content);
    for (const keptTextMax of [0, 2 ** 20]) {
      const { blocks, problems } = await readAll([folder.path], { keptTextMax });
      expect(problems).toEqual([]);
      expect(outline(blocks)).toEqual(['8+: a']);
    }
  });

  test('whose names indicate other content are read only when named explicitly', async () => {
    const path = folder.write('block.txt', text);
    folder.write('.hidden.json', text);
    folder.write('other.json', rpcBlock(9, []));
    expect(outline((await readAll([folder.path])).blocks)).toEqual(['9+: ']);
    expect(outline((await readAll([path])).blocks)).toEqual(['8+: a']);
  });

  test('are found by globs', async () => {
    folder.write('a-1.json', rpcBlock(8, []));
    folder.write('a-2.json', rpcBlock(9, []));
    folder.write('b-1.json', rpcBlock(10, []));
    const { blocks, problems } = await readAll([folder.join('a-*.json'), folder.join('z-*')]);
    expect(outline(blocks)).toEqual(['8+: ', '9+: ']);
    expect(problems).toMatchObject([{ code: 'unreadable', origin: folder.join('z-*') }]);
  });

  test('named in several ways, or linked, are read once', async () => {
    const path = folder.write('a.json', rpcLoose(8, 'a'));
    symlinkSync(folder.path, folder.join('loop'));
    symlinkSync(path, folder.join('link.json'));
    const { blocks, summary } = await readAll([folder.path, path, folder.join('*.json')]);
    expect(outline(blocks)).toEqual(['8: a']);
    expect(summary.duplicates).toBe(0);
  });
});
