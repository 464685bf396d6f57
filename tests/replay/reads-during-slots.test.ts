import { expect, test, vi } from 'vitest';
import { attachApi } from '../../src/bridge/attach-api.ts';
import type { LiveRowName } from '../../src/bridge/live-rows.ts';
import type { ApiRequest, ServiceMessage } from '../../src/bridge/messages.ts';
import { isReadOfState } from '../../src/bridge/reads-of-state.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { INCLUDED_TOKENS, NO_TOKEN_FILTER } from '../../src/model/market-listing.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type Address, asPriceE18 } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { followedBlocks, forkingMarket } from '../support/forking-market.ts';
import { itemSource } from '../support/item-source.ts';

const SLOTS = 400;

const TRADES = {
  ...{ pool: null, wallet: null, fromMs: null, toMs: null, side: null, valueUsdMin: null },
  ...{ class: 'all', view: 'all', before: null, limit: 20 },
};
const CANDLES = {
  ...{ fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2), intervalMs: 30_000 },
  ...{ view: 'all', withBefore: false },
};

interface Read {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Reads of the first pools of the market, their tokens and some of their traders. */
function readsOf(facts: readonly SlotFacts[]): readonly Read[] {
  const engine = new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
  const mints = new Map<Address, Address>();
  const traders = new Set<Address>();
  for (const each of facts) {
    const { pools, swaps } = engine.apply(each);
    for (const { pool, baseMint } of pools) mints.set(pool, baseMint);
    for (const { swap } of swaps) if (swap.trader !== null) traders.add(swap.trader);
    if (mints.size >= 4) break;
  }
  const wallets = [...traders].slice(0, 5);
  const page = { after: null, limit: 20 };
  const list = { ...NO_TOKEN_FILTER, include: [...INCLUDED_TOKENS], orderDir: 'desc', limit: 50 };
  return [
    ...[...mints].flatMap(([pool, mint]): Read[] => [
      { name: 'rows.current', args: [rowsOf(pool, mint)] },
      { name: 'tokens.holderPage', args: [{ mint, ...page }] },
      { name: 'tokens.topTraders', args: [{ mint, orderBy: 'profit', ...page }] },
      { name: 'trades.page', args: [{ ...TRADES, mint }] },
      { name: 'candles.read', args: [{ ...CANDLES, scope: mint }] },
      { name: 'pools.listing', args: [pool] },
      { name: 'fraud.check', args: [{ mint, asOfSlot: null }] },
    ]),
    ...wallets.flatMap((wallet): Read[] => [
      { name: 'wallets.find', args: [wallet] },
      { name: 'wallets.positions', args: [{ wallet, isOpen: false, before: null, limit: 20 }] },
      { name: 'wallets.createdTokens', args: [{ creator: wallet, ...page }] },
    ]),
    { name: 'tokens.search', args: [{ ...list, orderBy: 'newest' }] },
    { name: 'pools.list', args: [{ ...list, mint: null, orderBy: 'newest' }] },
    { name: 'batches.pools', args: [[...mints.keys()]] },
    { name: 'batches.wallets', args: [wallets] },
  ];
}

function rowsOf(pool: Address, mint: Address): LiveRowName[] {
  return [
    { kind: 'token', address: mint },
    { kind: 'holders', address: mint },
    { kind: 'pool', address: pool },
    { kind: 'indicators', address: pool },
  ];
}

/** Each watch of rows has a number of its own. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (name, each) => {
    if (name === 'watchId') return undefined;
    return typeof each === 'bigint' ? `${each}n` : each;
  });
}

/** The calls of an API that may arrive in the middle of a slot. */
class Caller {
  private readonly open = new Map<number, (message: ServiceMessage) => void>();
  private readonly arrived: ApiRequest[] = [];
  private readonly take: (message: ApiRequest) => void;
  private lastId = 0;

  constructor(service: Service) {
    const receive = () => this.arrived.shift() ?? null;
    this.take = attachApi(service, { receive }, (message) => {
      if (message.kind === 'publication') queueMicrotask(() => this.take({ kind: 'seen' }));
      if (message.kind !== 'answer' && message.kind !== 'refusal') return;
      this.open.get(message.id)?.(message);
      this.open.delete(message.id);
    });
  }

  /** Answered between slots. */
  call(read: Read): Promise<string> {
    return this.send(read, (message) => this.take(message));
  }

  /** Reads that were answered while a slot was applied. */
  async countDuringSlots(): Promise<number> {
    const page = await this.call({ name: 'metrics.page', args: ['plain'] });
    return Number(/mintscope_reads_during_slots_total (\d+)/.exec(page)?.[1]);
  }

  /** Answered in the next slot, or after it if that has no pause before its end. */
  callDuringSlot(read: Read): Promise<string> {
    return this.send(read, (message) => this.arrived.push(message));
  }

  /** Takes what no slot received. */
  takeArrived(): void {
    for (const message of this.arrived.splice(0)) this.take(message);
  }

  private async send({ name, args }: Read, post: (message: ApiRequest) => void): Promise<string> {
    const id = ++this.lastId;
    const message = await new Promise<ServiceMessage>((resolve) => {
      this.open.set(id, resolve);
      post({ kind: 'call', id, accountId: null, name, args });
    });
    if (message.kind === 'answer') return textOf(message.answer);
    throw new Error(message.kind === 'refusal' ? message.fault.message : message.kind);
  }
}

test('what is read while a slot is applied is what was read after the slot before', async () => {
  const items = followedBlocks(forkingMarket('reads during slots', SLOTS).made).map(
    (item): SourceItem =>
      item.kind === 'block' ? { kind: 'facts', facts: decodeBlock(item.block) } : item,
  );
  const facts = items.flatMap((item) => (item.kind === 'facts' ? [item.facts] : []));
  const reads = readsOf(facts);
  expect(reads.filter(({ name }) => !isReadOfState(name))).toEqual([]);
  const dataDir = temporaryFolder();
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: '150' }));
  const caller = new Caller(service);
  // Lists are complete soon after the start. One after another: on a busy machine the store refuses
  // some of many reads that come at once.
  for (const read of reads) await vi.waitFor(() => caller.call(read), { timeout: 60_000 });
  let [made, compared, known] = [0, 0, 0];
  async function* followed() {
    for (const item of items) {
      if (item.kind !== 'facts') {
        yield item;
        continue;
      }
      const read = reads[made++ % reads.length] as Read;
      const count = await caller.countDuringSlots();
      const before = await caller.call(read);
      const during = caller.callDuringSlot(read);
      yield item;
      caller.takeArrived();
      const answer = await during;
      if ((await caller.countDuringSlots()) === count) continue;
      expect(answer).toBe(before);
      compared++;
      if (!before.includes('"data":null')) known++;
    }
  }
  await service.ingestion.ingest(itemSource(followed(), false), { writeAfterMs: 20 });
  await service.close();
  process.stdout.write(
    `${compared} of ${made} reads were answered within a slot, ${known} known\n`,
  );
  expect(compared).toBeGreaterThan(5 * reads.length);
  expect(known).toBeGreaterThan(compared / 2);
});
