import { describe, expect, it } from 'vitest';
import { readYellowstoneUpdate } from '../../../src/chain/protobuf/yellowstone-update.ts';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import {
  decodeMessage,
  encodeMessage,
  type Message,
} from '../../../tests/support/protobuf-messages.ts';
import { SmallMarket } from '../../../tests/support/small-market.ts';
import type { ChainStep } from '../../market/world.ts';
import { toChainBlock } from '../to-chain-block.ts';
import { parseStreamRequest } from './yellowstone-request.ts';
import { blockUpdates, pingUpdate, pongUpdate, slotUpdate } from './yellowstone-updates.ts';

const market = new SmallMarket({ seed: 'stream', votes: 3 });
const steps: ChainStep[] = [];
for (let slots = 0; slots < 40; slots++) {
  const step = market.step();
  if (step !== null) steps.push(step);
}
const blocks = steps.map(({ block }) => block);
const transactions = blocks.flatMap((block) => block.transactions);

const request = (message: Message) =>
  parseStreamRequest(encodeMessage('SubscribeRequest', message));
interface Infos {
  readonly transactions: readonly { readonly index: string }[];
}
const read = (bytes: Uint8Array) => {
  const reading = readYellowstoneUpdate(bytes);
  if (reading.status === 'refused') throw new Error(reading.message);
  return reading.value;
};

describe('block updates', () => {
  it('contain the same blocks as the rest of the simulation, in every form of transaction', () => {
    expect(transactions.some(({ version }) => version === 0)).toBe(true);
    expect(transactions.some(({ error }) => error !== null)).toBe(true);
    expect(transactions.some(({ isVote }) => isVote)).toBe(true);
    for (const block of blocks) {
      const [bytes] = [...blockUpdates(block, request({ blocks: { mine: {} }, commitment: 1 }))];
      const update = read(bytes as Uint8Array);
      if (update.kind !== 'block') throw new Error(update.kind);
      const { transactions: found, ...head } = update.block;
      const { transactions: made, ...expected } = toChainBlock(block);
      expect(head).toEqual(expected);
      expect(found.map(plainTransaction)).toEqual(made.map(plainTransaction));
    }
  });

  it('equal the encoding of a protocol buffers library, including the name of the filter', () => {
    const block = blocks.at(-1) as (typeof blocks)[number];
    const query = request({ blocks: { mine: {} }, blocksMeta: { heads: {} }, commitment: 1 });
    const [whole, head] = [...blockUpdates(block, query)].map((bytes) =>
      decodeMessage('SubscribeUpdate', bytes),
    );
    const common = {
      slot: String(block.slot),
      blockhash: block.blockhash,
      parentSlot: String(block.parentSlot),
      parentBlockhash: block.previousBlockhash,
      executedTransactionCount: String(block.transactions.length),
      blockTime: { timestamp: String(block.blockTime) },
      blockHeight: { blockHeight: String(block.blockHeight) },
    };
    expect(whole).toMatchObject({ filters: ['mine'], block: common });
    expect(head).toMatchObject({ filters: ['heads'], blockMeta: common });
    const { transactions: infos } = (whole as Message).block as Infos;
    expect(infos.map(({ index }) => Number(index))).toEqual(block.transactions.map((_, at) => at));
  });

  it('are sent per transaction, each with its index and its bank', () => {
    const block = blocks.at(-1) as (typeof blocks)[number];
    const query = request({ transactions: { all: {} }, blocksMeta: { heads: {} }, commitment: 1 });
    const updates = [...blockUpdates(block, query)].map(read);
    const infos = updates.flatMap((update) => (update.kind === 'transaction' ? [update] : []));
    expect(infos.map(({ txIndex }) => txIndex)).toEqual(block.transactions.map((_, at) => at));
    const banks = new Set(updates.map((update) => ('bankId' in update ? update.bankId : -1n)));
    expect(banks.size).toBe(1);
    expect(updates.at(-1)?.kind).toBe('blockMeta');
  });

  it('omit what the filters do not match', () => {
    const wallet = market.wallets[0] as string;
    const touches = (keys: readonly string[]) => keys.includes(wallet);
    const count = (filter: Message) =>
      blocks.reduce(
        (sum, block) =>
          sum + [...blockUpdates(block, request({ transactions: { some: filter } }))].length,
        0,
      );
    const of = (fits: (transaction: (typeof transactions)[number]) => boolean) =>
      transactions.filter(fits).length;
    expect(count({})).toBe(transactions.length);
    expect(count({ vote: true })).toBe(of(({ isVote }) => isVote));
    expect(count({ accountInclude: [wallet] })).toBe(
      of(({ staticKeys, loadedReadonly, loadedWritable }) =>
        touches([...staticKeys, ...loadedReadonly, ...loadedWritable]),
      ),
    );
    expect(count({ accountInclude: [wallet] }) + count({ accountExclude: [wallet] })).toBe(
      transactions.length,
    );
    const [first] = transactions[0]?.signatures ?? [];
    expect(count({ signature: first })).toBe(1);
    expect(count({ failed: true })).toBe(of(({ error }) => error !== null));
  });
});

describe('other updates', () => {
  it('report the status of a slot to those subscribed at that commitment', () => {
    const block = blocks[3] as (typeof blocks)[number];
    const all = request({ slots: { s: {} }, commitment: 1 });
    const own = request({ slots: { s: { filterByCommitment: true } }, commitment: 1 });
    expect(read(slotUpdate(block, 'finalized', all) as Uint8Array)).toEqual({
      kind: 'slot',
      slot: block.slot,
      parentSlot: block.parentSlot,
      status: 'finalized',
    });
    expect(slotUpdate(block, 'finalized', own)).toBeNull();
    expect(slotUpdate(block, 'confirmed', own)).not.toBeNull();
    expect(slotUpdate(block, 'confirmed', request({}))).toBeNull();
  });

  it('are pings and pongs', () => {
    expect(decodeMessage('SubscribeUpdate', pingUpdate())).toHaveProperty('ping');
    expect(decodeMessage('SubscribeUpdate', pongUpdate(7))).toMatchObject({ pong: { id: 7 } });
  });
});

describe('requests', () => {
  it('are parsed as a protocol buffers library wrote them', () => {
    const wallet = market.wallets[0] as string;
    const filter = { vote: false, failed: true, signature: 'x', accountRequired: [wallet] };
    expect(
      request({
        slots: { s: { filterByCommitment: true } },
        transactions: { t: filter },
        blocks: { b: { accountInclude: [wallet], includeTransactions: false } },
        blocksMeta: { m: {} },
        commitment: 2,
        fromSlot: 412_000_000,
      }),
    ).toEqual({
      slots: new Map([['s', { filterByCommitment: true }]]),
      transactions: new Map([['t', { ...filter, accountInclude: [], accountExclude: [] }]]),
      blocks: new Map([['b', { accountInclude: [wallet], includeTransactions: false }]]),
      blocksMeta: new Map([['m', null]]),
      commitment: 'finalized',
      fromSlot: 412_000_000,
      pingId: null,
    });
    expect(request({ ping: { id: 3 } })).toMatchObject({ pingId: 3, commitment: 'processed' });
  });

  it.each([
    ['0a', 'a number is cut off'],
    ['1a05', 'a field is cut off'],
    ['0b', 'wire type 3'],
    ['3009', 'failed to create filter: commitment'],
    ['1a09 0a0161 1204 1a026f6f', 'failed to create filter: invalid pubkey oo'],
  ])('that are invalid are rejected: %s', (hex, words) => {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect(() => parseStreamRequest(bytes)).toThrow(new RangeError(words));
  });
});
