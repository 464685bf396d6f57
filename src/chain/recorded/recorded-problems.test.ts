import { chmodSync, mkdirSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { lines, outline, RecordFolder } from '../../../tests/support/record-folder.ts';
import { readAll } from '../../../tests/support/recorded-reading.ts';
import { rpcBlock, rpcLoose, rpcTransaction } from '../../../tests/support/rpc-records.ts';
import { type SourceProblem, UsageError } from '../../model/errors.ts';
import { createRecordedSource } from './recorded-source.ts';

const folder = new RecordFolder();

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
        message: 'the transaction has no slot, so it cannot be ordered',
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
  ])('%s is reported and the rest is read', async (name, content, problem) => {
    const origin = folder.write(name, content);
    folder.write('good.json', rpcBlock(9, ['b']));
    const { blocks, problems, summary } = await readAll([folder.path]);
    expect(problems).toMatchObject([{ origin, ...problem }]);
    expect(outline(blocks)).toEqual(['9+: b']);
    expect(summary.problems).toBe(1);
  });

  test('on one line is reported with line and byte, and the other lines are read', async () => {
    const first = lines(rpcLoose(8, 'a'));
    const origin = folder.write(
      'x.jsonl',
      `${first}{"a":}\n${lines(rpcTransaction('b'))}${lines(rpcLoose(9, 'c'))}{"cut`,
    );
    const { blocks, problems } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['8: a', '9: c']);
    const end =
      first.length + 7 + lines(rpcTransaction('b')).length + lines(rpcLoose(9, 'c')).length;
    expect(problems).toMatchObject([
      { origin, code: 'not-json', position: `line 2, byte ${first.length + 5}` },
      { origin, code: 'no-slot', position: 'line 3' },
      { origin, code: 'not-json', position: `line 5, byte ${end + 5}` },
    ]);
  });

  test('in a compressed file of lines preserves the lines before it', async () => {
    const incompressible = Array.from({ length: 3_000 }, (_, index) => index ** 3 % 7_919).join();
    const content = lines(rpcLoose(8, 'a'), { filler: incompressible }, rpcLoose(9, 'b'));
    const archive = gzipSync(content);
    folder.write('x.jsonl.gz', archive.subarray(0, archive.length - 400));
    const { blocks, problems } = await readAll([folder.path]);
    expect(outline(blocks)).toEqual(['8: a']);
    expect(problems).toMatchObject([{ code: 'corrupt-archive' }]);
  });

  test('includes a folder without any readable file', async () => {
    mkdirSync(folder.join('empty'));
    folder.write('good.json', rpcBlock(9, ['b']));
    const { problems } = await readAll([folder.join('empty'), folder.join('good.json')]);
    expect(problems).toMatchObject([{ code: 'not-a-record', origin: folder.join('empty') }]);
  });

  test.skipIf(process.getuid?.() === 0)('includes a file without permission', async () => {
    const origin = folder.write('locked.json', rpcBlock(8, []));
    chmodSync(origin, 0);
    folder.write('good.json', rpcBlock(9, []));
    const { blocks, problems } = await readAll([folder.path]);
    expect(problems).toMatchObject([{ code: 'unreadable', origin, message: 'permission denied' }]);
    expect(outline(blocks)).toEqual(['9+: ']);
  });

  test('includes an archive that decompresses beyond the bound', async () => {
    folder.write('bomb.json.zst', zstdCompressSync(Buffer.alloc(2 ** 22, 32)));
    folder.write('bomb.jsonl.gz', gzipSync(Buffer.alloc(2 ** 22, 32)));
    const { problems } = await readAll([folder.path], {
      bounds: { decompressedBytesMax: 2 ** 20 },
    });
    const message = 'more than 1048576 bytes when decompressed';
    expect(problems).toMatchObject([
      { code: 'corrupt-archive', message },
      { code: 'corrupt-archive', message },
    ]);
  });

  test.each(['x.jsonl', 'x.jsonl.gz'])('includes a line that is too long, in %s', async (name) => {
    const first = lines(rpcLoose(8, 'a'));
    const long = `{"filler":"${'x'.repeat(100_000)}"}\n`;
    const text = `${first}${long}${lines(rpcLoose(9, 'b'))}${long.trim()}`;
    const origin = folder.write(name, name.endsWith('.gz') ? gzipSync(text) : text);
    const bounds = { documentBytesMax: 50_000 };
    const { blocks, problems } = await readAll([folder.path], { bounds });
    const message = 'the line is longer than 50000 bytes';
    const last = text.length - long.trim().length;
    expect(problems).toEqual([
      { code: 'unreadable', origin, position: `line 2, byte ${first.length}`, message },
      { code: 'unreadable', origin, position: `line 4, byte ${last}`, message },
    ]);
    // Read twice, the second time over the long line.
    expect(outline(blocks)).toEqual(['8: a', '9: b']);
  });

  test('includes a document that is too long, with the byte at which reading stops', async () => {
    const origin = folder.write('long.json', { filler: 'x'.repeat(100_000) });
    folder.write('good.json', rpcBlock(9, ['b']));
    const bounds = { documentBytesMax: 50_000 };
    const { blocks, problems } = await readAll([folder.path], { bounds });
    expect(problems).toMatchObject([{ code: 'unreadable', origin, position: 'byte 50000' }]);
    expect(outline(blocks)).toEqual(['9+: b']);
  });

  test('is a usage error when no path exists', () => {
    const paths = [folder.join('none.json'), folder.join('*.json')];
    expect(() => createRecordedSource(paths)).toThrow(UsageError);
    expect(() => createRecordedSource([])).toThrow(UsageError);
  });
});
