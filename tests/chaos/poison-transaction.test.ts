import { afterEach, describe, expect, test, vi } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { DECODERS } from '../../src/decoders/registry.ts';
import { marketBlocks } from '../support/market-blocks.ts';
import { fold } from '../support/master-fixture.ts';

const [raw] = marketBlocks(1);
const reading = readBlock(raw);
if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
const block = reading.value;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a transaction that makes a decoder throw (F-20)', () => {
  test('is reported with its signature and counted, and the rest of the slot is indexed', () => {
    const calm = decodeBlock(block);
    const decoder = DECODERS.find(({ name }) => name === 'raydium_cpmm');
    const poison = block.transactions[1]?.signature;
    if (decoder === undefined || poison === undefined) throw new Error('nothing to poison');
    const decode = decoder.decode.bind(decoder);
    vi.spyOn(decoder, 'decode').mockImplementation((instruction, view) => {
      if (view.transaction.signature === poison) throw new TypeError('a bug of a decoder');
      return decode(instruction, view);
    });
    const facts = decodeBlock(block);
    expect(facts.problems).toMatchObject([
      { problem: 'failed', signature: poison, reason: 'decoder failed: a bug of a decoder' },
    ]);
    expect(facts.outcomes.raydium_cpmm).toMatchObject({ event: 2, malformed: 1 });
    expect(facts.transactions.map(({ signature }) => signature)).toEqual(
      calm.transactions.map(({ signature }) => signature),
    );
    for (const [index, transaction] of facts.transactions.entries()) {
      const expected = calm.transactions[index];
      if (transaction.signature === poison) {
        expect(transaction.events.some(({ kind }) => kind === 'swap')).toBe(false);
        expect(transaction.feeLamports).toBe(expected?.feeLamports);
      } else expect(transaction).toEqual(expected);
    }
    const { engine } = fold([facts]);
    expect(engine.counters.problems.failed).toBe(1);
    expect(engine.counters.events.swap).toBe(2);
  });
});
