import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CALM, type FaultSettings } from '../../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../../simulator/faces/node/faults.ts';
import type { YellowstoneOptions } from '../../../simulator/faces/node/yellowstone-face.ts';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import { plainTransaction } from '../../../tests/support/plain-transaction.ts';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import { YellowstoneChain } from '../../../tests/support/yellowstone-chain.ts';
import { monotonicClock } from '../../lib/clock.ts';
import type { ChainBlock } from '../../model/transaction.ts';
import type { StreamItem } from '../block-stream.ts';
import { createGrpcClient } from './grpc-client.ts';
import type { SubscribeMode } from './subscribe-request.ts';
import { type FeedTiming, YellowstoneFeed } from './yellowstone-feed.ts';

const MODES: readonly SubscribeMode[] = ['blocks', 'transactions'];
const WINDOW_BYTES = 2 ** 18;
const TOKEN = 'secret-token-3141';
const FAST: FeedTiming = {
  pingIntervalMs: 40,
  silenceMs: 400,
  dataSilenceMs: 5_000,
  delayMinMs: 10,
  delayMaxMs: 60,
  attemptsPerMinute: 1_000,
};

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startChain(
  faults: Partial<FaultSettings> = {},
  options: YellowstoneOptions = {},
  market: ConstructorParameters<typeof YellowstoneChain>[1] = {},
): Promise<YellowstoneChain> {
  const chain = new YellowstoneChain(
    { faults: new Faults({ ...CALM, ...faults }), pingIntervalMs: 50, token: TOKEN, ...options },
    market,
  );
  await chain.listen();
  closing.push(() => chain.close());
  return chain;
}

/** A feed whose items are taken as they arrive, or only when the test allows it. */
class Reader {
  readonly items: StreamItem[] = [];
  readonly feed: YellowstoneFeed;
  isPaused = false;
  readonly done: Promise<void>;
  private readonly ending = new AbortController();

  constructor(
    chain: YellowstoneChain,
    mode: SubscribeMode,
    timing: Partial<FeedTiming> = {},
    token: string = TOKEN,
  ) {
    this.feed = new YellowstoneFeed({
      client: createGrpcClient({
        url: chain.url,
        token,
        messageBytesMax: 2 ** 26,
        windowBytes: WINDOW_BYTES,
      }),
      mode,
      clock: monotonicClock,
      random: () => 0.5,
      signal: this.ending.signal,
      timing: { ...FAST, ...timing },
    });
    this.done = this.take();
    closing.push(async () => {
      this.isPaused = false;
      this.ending.abort();
      await this.done;
    });
  }

  of<Kind extends StreamItem['kind']>(kind: Kind): Extract<StreamItem, { kind: Kind }>[] {
    return this.items.filter(
      (item): item is Extract<StreamItem, { kind: Kind }> => item.kind === kind,
    );
  }

  /** Blocks that were read and not decoded. */
  get blocks(): readonly ChainBlock[] {
    return this.of('block').map(({ block: { item } }) => {
      if (item.kind !== 'block') throw new Error('it is decoded');
      return item.block;
    });
  }

  get hashes(): readonly string[] {
    return this.of('block').map(({ block }) => block.blockhash);
  }

  /** Waits for the newest confirmed block of the chain. */
  async catchUp(chain: YellowstoneChain): Promise<void> {
    await this.until(() =>
      this.of('block').some(({ block }) => block.slot === chain.confirmedSlot),
    );
  }

  async until(condition: () => boolean): Promise<void> {
    await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 120_000, interval: 5 });
  }

  private async take(): Promise<void> {
    for await (const item of this.feed) {
      this.items.push(item);
      while (this.isPaused) await setTimeout(5);
    }
  }
}

async function startReader(
  chain: YellowstoneChain,
  mode: SubscribeMode,
  timing: Partial<FeedTiming> = {},
): Promise<Reader> {
  const reader = new Reader(chain, mode, timing);
  await reader.until(() => chain.face.clients === 1);
  // The call exists; the request may still be in transit.
  await reader.until(() => reader.feed.summary.updates > 0);
  return reader;
}

/** Hashes of the winning branch, from a block up to the newest confirmed one. */
function expectedHashes(chain: YellowstoneChain, firstHash: string | undefined): readonly string[] {
  const confirmed = chain.canonical.filter(({ slot }) => slot <= chain.confirmedSlot);
  const from = confirmed.findIndex(({ blockhash }) => blockhash === firstHash);
  return confirmed.slice(from).map(({ blockhash }) => blockhash);
}

describe.each(MODES)('a feed of %s', (mode) => {
  test('yields each confirmed block of the winning branch once, in order, unchanged', async () => {
    const chain = await startChain({}, {}, { forkRate: 0.3 });
    const reader = await startReader(chain, mode);
    chain.advance(40);
    await reader.catchUp(chain);
    expect(chain.steps.some(({ isCanonical }) => !isCanonical)).toBe(true);
    expect(reader.hashes).toEqual(expectedHashes(chain, reader.hashes[0]));
    expect(reader.hashes.length).toBeGreaterThanOrEqual(39);
    const made = new Map(chain.canonical.map((block) => [block.blockhash, toChainBlock(block)]));
    for (const block of reader.blocks) {
      const { transactions, ...head } = block;
      const { transactions: expected = [], ...expectedHead } =
        made.get(String(block.blockhash)) ?? {};
      expect(head).toEqual(expectedHead);
      expect(transactions.map(plainTransaction)).toEqual(expected.map(plainTransaction));
    }
    expect(reader.feed.summary).toMatchObject({ duplicates: 0, incomplete: 0, problems: 0 });
  });

  test('reports which slots the server calls final', async () => {
    const chain = await startChain();
    const reader = await startReader(chain, mode);
    chain.advance(40);
    const headSlot = chain.steps.at(-1)?.block.slot ?? 0;
    const finalSlot = chain.canonical.findLast(({ slot }) => slot <= headSlot - 31)?.slot ?? 0;
    await reader.until(() =>
      reader.of('slot').some(({ slot, status }) => status === 'finalized' && slot === finalSlot),
    );
    const final = reader.of('slot').filter(({ status }) => status === 'finalized');
    expect(final.every(({ slot }) => slot <= finalSlot)).toBe(true);
  });

  test('after a cut shorter than the replay yields what was missed, and nothing twice (F-02)', async () => {
    const chain = await startChain();
    const reader = await startReader(chain, mode);
    chain.advance(10);
    await reader.catchUp(chain);
    for (let cuts = 0; cuts < 3; cuts++) {
      chain.proxy.cut();
      chain.advance(20);
      chain.proxy.mend();
      await reader.catchUp(chain);
      chain.advance(5);
      await reader.catchUp(chain);
    }
    expect(reader.hashes).toEqual(expectedHashes(chain, reader.hashes[0]));
    expect(reader.feed.summary.duplicates).toBeGreaterThan(0);
    expect(reader.of('interrupted').length).toBeGreaterThanOrEqual(3);
  });

  test('leaves a connection that falls silent, within the configured time (F-03)', async () => {
    const chain = await startChain();
    const reader = await startReader(chain, mode);
    chain.advance(5);
    await reader.catchUp(chain);
    chain.proxy.stall();
    chain.advance(5);
    const startMs = performance.now();
    await reader.until(() => reader.of('interrupted').length > 0);
    const tookMs = performance.now() - startMs;
    expect(reader.of('interrupted')[0]?.reason).toContain('nothing came for');
    expect(tookMs).toBeLessThan(SOON_MS);
    chain.proxy.mend();
    await reader.catchUp(chain);
    expect(reader.hashes).toEqual(expectedHashes(chain, reader.hashes[0]));
  });

  test('leaves a connection that only answers pings, when no block arrives', async () => {
    const chain = await startChain({ subscriptionLoss: 1 });
    const reader = await startReader(chain, mode, { dataSilenceMs: 300 });
    chain.advance(5);
    await reader.until(() => reader.of('interrupted').length > 0);
    expect(reader.of('interrupted')[0]?.reason).toContain('no block came for');
  });

  test('asks for replays of a chain that stands still however often, and misses no later block', async () => {
    const chain = await startChain();
    chain.advance(5);
    const timing = { dataSilenceMs: 100, silenceMs: 60_000 };
    const reader = await startReader(chain, mode, timing);
    chain.advance(3);
    await reader.catchUp(chain);
    // Each replay brings the newest block again, and nothing else.
    await reader.until(() => reader.feed.summary.attempts >= 15);
    expect(reader.of('interrupted').at(-1)?.willReplay).toBe(true);
    chain.proxy.cut();
    chain.advance(6);
    chain.proxy.mend();
    await reader.catchUp(chain);
    expect(reader.hashes).toEqual(expectedHashes(chain, reader.hashes[0]));
  });

  test('continues without a replay when its start is gone, and the gap shows in the parents (F-04)', async () => {
    const chain = await startChain({}, { limits: { replaySlots: 5 } });
    const reader = await startReader(chain, mode);
    chain.advance(5);
    await reader.catchUp(chain);
    const before = reader.hashes.length;
    chain.proxy.cut();
    chain.advance(30);
    chain.proxy.mend();
    await reader.until(() =>
      reader.of('interrupted').some(({ reason }) => reason.includes('code 11')),
    );
    await reader.until(() => chain.face.clients === 1);
    const { updates } = reader.feed.summary;
    await reader.until(() => reader.feed.summary.updates > updates + 2);
    chain.advance(10);
    await reader.catchUp(chain);
    const refused = reader.of('interrupted').find(({ reason }) => reason.includes('code 11'));
    expect(refused).toMatchObject({ willReplay: false });
    const after = reader.of('block')[before]?.block;
    expect(after?.previousBlockhash).not.toBe(reader.hashes[before - 1]);
    expect(reader.hashes.slice(before)).toEqual(expectedHashes(chain, after?.blockhash));
  });

  test('requests a failing replay at most twice, then continues without', async () => {
    const faults = new Faults({ ...CALM });
    const chain = await startChain({}, { faults });
    const reader = await startReader(chain, mode);
    chain.advance(5);
    await reader.catchUp(chain);
    chain.proxy.cut();
    faults.change({ subscribeError: 1 });
    chain.advance(5);
    chain.proxy.mend();
    const failures = () =>
      reader.of('interrupted').filter(({ reason }) => reason.includes('failed to get replay'));
    await reader.until(() =>
      reader.of('interrupted').some(({ reason }) => reason.includes('no more room')),
    );
    expect(failures().map(({ willReplay }) => willReplay)).toEqual([true, false]);
    faults.calm();
    await reader.until(() => chain.face.clients === 1);
    const { updates } = reader.feed.summary;
    await reader.until(() => reader.feed.summary.updates > updates);
    chain.advance(5);
    await reader.catchUp(chain);
  });

  test('makes no block of messages that are cut short, reports it, and continues (F-05)', async () => {
    const chain = await startChain({ notificationGarbage: mode === 'blocks' ? 0.3 : 0.01 });
    const reader = await startReader(chain, mode);
    chain.advance(60);
    await reader.until(() => reader.feed.summary.problems > 0 && reader.of('block').length > 5);
    chain.face.close();
    await reader.until(() => reader.of('interrupted').length > 0);
    const made = new Map(chain.canonical.map((block) => [block.blockhash, toChainBlock(block)]));
    for (const block of reader.blocks) {
      const whole = made.get(String(block.blockhash));
      expect(block.transactions.map(plainTransaction)).toEqual(
        whole?.transactions.map(plainTransaction),
      );
      expect(block.voteCount).toBe(whole?.voteCount);
    }
    expect(reader.of('problem').length).toBe(reader.feed.summary.problems);
  });

  test('handles messages that arrive twice and out of order (F-13)', async () => {
    const chain = await startChain({ notificationDuplicate: 0.3, notificationSwap: 0.3 });
    const reader = await startReader(chain, mode);
    chain.advance(40);
    await reader.until(() => reader.of('block').length >= 35);
    const bySlot = new Map(reader.of('block').map(({ block }) => [block.slot, block.blockhash]));
    expect(bySlot.size).toBe(reader.hashes.length);
    const confirmed = new Map(chain.canonical.map(({ slot, blockhash }) => [slot, blockhash]));
    for (const [slot, hash] of bySlot) expect(confirmed.get(slot)).toBe(hash);
  });

  test('survives bytes that are not HTTP/2', async () => {
    const chain = await startChain();
    const reader = await startReader(chain, mode);
    chain.proxy.garble((bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x5a)));
    chain.advance(5);
    await reader.until(() => reader.of('interrupted').length > 0);
    chain.proxy.mend();
    chain.proxy.cut();
    chain.proxy.mend();
    await reader.until(() => chain.face.clients >= 1 && reader.feed.summary.attempts > 1);
    const { updates } = reader.feed.summary;
    await reader.until(() => reader.feed.summary.updates > updates + 1);
    chain.advance(5);
    await reader.catchUp(chain);
  });

  test('a consumer that stops reading stops the server, and misses nothing (F-12)', async () => {
    const queueBytes = 2 ** 20;
    const chain = await startChain(
      {},
      { limits: { queueBytes, replaySlots: 280 } },
      { transfersPerSlot: 60 },
    );
    const reader = await startReader(chain, mode);
    chain.advance(2);
    await reader.catchUp(chain);
    reader.isPaused = true;
    const { blocks } = reader.feed.summary;
    const bytes = chain.proxy.bytesToClient;
    for (let slots = 0; slots < 200; slots++) {
      chain.advance(1);
      await setTimeout(1);
    }
    await reader.until(() => chain.face.clients === 0);
    // The feed keeps one item and what the connection took before it was full. The server stopped.
    expect(reader.feed.summary.blocks - blocks).toBeLessThanOrEqual(1);
    const madeBytes = chain.canonical.length * 20_000;
    expect(madeBytes).toBeGreaterThan(8 * WINDOW_BYTES);
    expect(chain.proxy.bytesToClient - bytes).toBeLessThan(3 * WINDOW_BYTES);
    reader.isPaused = false;
    await reader.catchUp(chain);
    expect(reader.of('interrupted')[0]?.reason).toContain('lagged');
    expect(reader.hashes).toEqual(expectedHashes(chain, reader.hashes[0]));
  });
});

describe('a server that refuses every call', () => {
  test('is called ten times in a minute at most', async () => {
    const chain = await startChain({ subscribeError: 1 });
    const reader = new Reader(chain, 'blocks', {
      attemptsPerMinute: 10,
      delayMinMs: 1,
      delayMaxMs: 2,
    });
    await reader.until(() => reader.feed.summary.attempts === 10);
    await setTimeout(700);
    expect(chain.face.calls).toBe(10);
    expect(reader.feed.summary.attempts).toBe(10);
  });

  test('is left for good when it refuses the client, and the token is shown nowhere', async () => {
    const chain = await startChain();
    const reader = new Reader(chain, 'blocks', {}, 'wrong-token-2718');
    await reader.done;
    expect(reader.items).toHaveLength(1);
    expect(reader.of('denied')[0]?.reason).toContain('(code 16)');
    expect(JSON.stringify(reader.items)).not.toContain('2718');
  });
});
