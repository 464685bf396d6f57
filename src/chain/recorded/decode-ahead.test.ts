import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lines, RecordFolder } from '../../../tests/support/record-folder.ts';
import { readAll } from '../../../tests/support/recorded-reading.ts';
import { rpcBlock, rpcLoose } from '../../../tests/support/rpc-records.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { type RawBlock, type RawBlockDecoding, readRawBlock } from './raw-block.ts';
import { createRecordedSource } from './recorded-source.ts';

const folder = new RecordFolder();

/** Decodes like workers, each block after as many turns of the event loop as the test says. */
function decoderAfter(turns: readonly number[], aheadMax = 4) {
  const slots: number[] = [];
  const decode = async (raw: RawBlock): Promise<RawBlockDecoding> => {
    const wait = turns[slots.push(raw.slot) % turns.length] ?? 0;
    for (let turn = 0; turn < wait; turn++) await new Promise((next) => setImmediate(next));
    const block = readRawBlock(raw);
    return block === null
      ? { status: 'unreadable' }
      : { status: 'decoded', facts: decodeBlock(block) };
  };
  return { slots, decoder: { aheadMax, decode } };
}

/** All items of a source in order, with blocks decoded directly. */
async function itemsOf(
  paths: readonly string[],
  options: Parameters<typeof createRecordedSource>[1],
) {
  const source = createRecordedSource(paths, { keptTextMax: 0, ...options });
  const items: unknown[] = [];
  for await (const item of source) {
    items.push(item.kind === 'block' ? { kind: 'facts', facts: decodeBlock(item.block) } : item);
  }
  return { items, summary: source.summary };
}

describe('blocks that are decoded ahead', () => {
  test('arrive as they would undecoded, in the same order, however long each takes', async () => {
    folder.write('300000011.json', rpcBlock(300_000_011, ['a']));
    folder.write('block_300000012.json', [
      rpcBlock(300_000_012, ['b']),
      rpcLoose(300_000_012, 'c'),
    ]);
    folder.write('300000013.json', rpcBlock(300_000_014, ['d']));
    folder.write('300000015.json', '{');
    folder.write('300000016.json', rpcLoose(300_000_016, 'e'));
    const selection = { ...rpcBlock(300_000_017, ['f']), executedTransactionCount: 2 };
    folder.write('300000017.json', selection);
    const many = [1, 2, 3, 4, 5, 6].map((at) => rpcBlock(300_000_020 + at, ['a', 'b']));
    folder.write(
      'many.jsonl',
      lines(...many, rpcLoose(300_000_023, 'g'), rpcLoose(300_000_030, 'g')),
    );
    const plain = await itemsOf([folder.path], {});
    expect(plain.items).toHaveLength(2 + 1 + 1 + 2 + 1 + 6);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (turns, aheadMax) => {
          const { slots, decoder } = decoderAfter(turns, aheadMax);
          expect(await itemsOf([folder.path], { decoder })).toEqual(plain);
          // One line after another; slot 23 is there twice and 30 is not a block.
          expect(slots.filter((slot) => slot > 300_000_020)).toEqual(
            [21, 22, 24, 25, 26].map((at) => 300_000_000 + at),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  test('are not parsed again if they are kept parsed in memory', async () => {
    folder.write('few.jsonl', lines(rpcBlock(5, ['a']), rpcBlock(6, ['b'])));
    const { slots, decoder } = decoderAfter([0]);
    const { blocks, facts } = await readAll([folder.path], { decoder });
    expect([blocks.length, facts.length, slots.length]).toEqual([2, 0, 0]);
  });

  test('are reported as problems when decoding stops, and the rest continues', async () => {
    folder.write('x.jsonl', lines(rpcBlock(5, ['a']), rpcBlock(6, ['b']), rpcBlock(7, ['c'])));
    const { decoder } = decoderAfter([0]);
    const decode = async (raw: RawBlock): Promise<RawBlockDecoding> =>
      raw.slot === 6 ? { status: 'failed', message: 'out of breath' } : decoder.decode(raw);
    const { facts, blocks, problems } = await readAll([folder.path], {
      keptTextMax: 0,
      decoder: { aheadMax: 2, decode },
    });
    expect([...facts, ...blocks].map(({ slot }) => slot).sort()).toEqual([5, 7]);
    expect(problems).toEqual([
      {
        code: 'decoder-stopped',
        origin: folder.join('x.jsonl'),
        position: 'line 2',
        message: 'out of breath',
      },
    ]);
  });
});
