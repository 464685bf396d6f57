import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildChanges } from '../../tests/support/build-records.ts';
import { pricedTrade } from '../../tests/support/build-trades.ts';
import { POOL } from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import type { LogEntry } from '../api/streams/topics/stream-log.ts';
import { type Subscription, TopicHub, type TopicRequest } from '../api/streams/topics/topic-hub.ts';
import { subjectOf } from '../model/slot-frame.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { SlotFeed } from './slot-feed.ts';

/**
 * A chain whose slots each have some trades of one pool, and the two threads between which messages
 * arrive late but in order, as through a message port.
 */
class Chain {
  /** The trades of each applied slot, by their numbers. */
  readonly slots: number[][] = [];
  /** What reads of the API return: the trades up to the published slot. */
  published: { readonly slot: Slot; readonly trades: readonly number[] };
  readonly hub: TopicHub;
  private readonly engine = new FakeLiveEngine();
  private readonly feed: SlotFeed;
  private readonly toApi: (() => void)[] = [];
  private readonly toMain: (() => void)[] = [];
  private lastTrade = 0;

  constructor() {
    this.published = { slot: asSlot(0), trades: [] };
    this.hub = new TopicHub({
      nowMs: () => 1,
      currentSlot: () => this.published.slot,
      onWanted: (id, added, removed) =>
        this.toMain.push(() => {
          this.feed.want(added, removed);
          this.publish();
          this.toApi.push(() => this.hub.confirm(id, true));
        }),
    });
    const source = {
      engine: this.engine,
      finalSlot: null,
      step: null,
      appliedStep: null,
      statusOf: () => 'active' as const,
    };
    this.feed = new SlotFeed(source, (frame) =>
      this.toApi.push(() => {
        this.hub.take(structuredClone(frame));
        this.feed.seen();
      }),
    );
  }

  apply(count: number): void {
    this.slots.push(Array.from({ length: count }, () => ++this.lastTrade));
    this.engine.lastSlot = asSlot(this.slots.length);
    this.feed.onApplied(this.changes());
  }

  undo(): void {
    if (this.slots.length === 0) return;
    const changes = this.changes();
    this.slots.pop();
    this.engine.lastSlot = asSlot(this.slots.length);
    this.feed.onReverted(changes);
  }

  publish(): void {
    const published = { slot: asSlot(this.slots.length), trades: this.slots.flat() };
    this.toApi.push(() => {
      this.published = published;
      this.hub.published();
    });
  }

  /** Delivers the next message in each direction. */
  async deliver(): Promise<void> {
    // Changes of the wanted subjects are sent at the end of a turn.
    await Promise.resolve();
    this.toMain.shift()?.();
    this.toApi.shift()?.();
  }

  async deliverAll(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) {
      await this.deliver();
      while (this.toMain.length + this.toApi.length > 0) await this.deliver();
    }
  }

  private changes() {
    const slot = this.slots.length;
    const swaps = (this.slots.at(-1) ?? []).map((number) =>
      pricedTrade({
        slot,
        timeMs: 1,
        trader: 'trader',
        side: 'buy',
        baseRaw: BigInt(number),
        quoteRaw: 1n,
        txIndex: number,
        rest: { pool: POOL },
      }),
    );
    return buildChanges(slot, { swaps });
  }
}

/** Subscribes, reads once after the ack, and applies all messages after the ack. */
class Client {
  readonly entries: LogEntry[] = [];
  ack: { readonly seq: number; readonly slot: Slot | null } | null = null;
  read: Chain['published'] | null = null;
  private readonly subscription: Subscription;

  constructor(hub: TopicHub, since: number | null) {
    const subjects: TopicRequest['subjects'] = [subjectOf('trades', 'pool', POOL)];
    const request = { subjects, filter: null, since };
    this.subscription = hub.subscribe(request, {
      onReady: (seq, slot) => {
        this.ack = { seq, slot };
      },
      onRefused: (error) => expect.fail(error.message),
      onEntry: (entry) => this.entries.push(entry),
      onLost: () => expect.fail('messages were lost'),
    });
  }

  /** Receives the messages of a subscription that is not current yet. */
  replay(): void {
    for (;;) {
      const step = this.subscription.replay();
      if (step === null) return;
      expect(step.gap).toBeNull();
      this.entries.push(...step.entries);
    }
  }

  /** The trades after all messages, each of which adds or removes one trade. */
  get trades(): readonly number[] {
    const trades = new Set(this.read?.trades);
    for (const entry of this.entries) {
      const number = numberOf(entry);
      if (entry.isUndo) trades.delete(number);
      else trades.add(number);
    }
    return [...trades].sort((one, other) => one - other);
  }
}

function numberOf({ data: { item } }: LogEntry): number {
  if (item.topic !== 'trades') throw new Error('not a trade');
  return item.trade.txIndex;
}

const steps = (withForks: boolean) =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(3).map((count) => ({ kind: 'apply', count }) as const) },
      { weight: 6, arbitrary: fc.constant({ kind: 'deliver' } as const) },
      { weight: 3, arbitrary: fc.constant({ kind: 'publish' } as const) },
      { weight: withForks ? 3 : 0, arbitrary: fc.constant({ kind: 'undo' } as const) },
      { weight: 2, arbitrary: fc.constant({ kind: 'subscribe' } as const) },
      { weight: 3, arbitrary: fc.constant({ kind: 'read' } as const) },
    ),
    { minLength: 20, maxLength: 80, size: 'max' },
  );

type Step = ReturnType<typeof steps> extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

async function run(story: readonly Step[]): Promise<{ chain: Chain; clients: readonly Client[] }> {
  const chain = new Chain();
  const clients: Client[] = [];
  const readAfterAck = () => {
    for (const client of clients) {
      if (client.ack !== null) client.read ??= chain.published;
    }
  };
  for (const step of story) {
    if (step.kind === 'apply') chain.apply(step.count);
    else if (step.kind === 'undo') chain.undo();
    else if (step.kind === 'publish') chain.publish();
    else if (step.kind === 'subscribe') clients.push(new Client(chain.hub, null));
    else if (step.kind === 'read') readAfterAck();
    else await chain.deliver();
    for (const client of clients) client.replay();
  }
  chain.publish();
  await chain.deliverAll();
  for (const client of clients) client.replay();
  readAfterAck();
  return { chain, clients };
}

test('a read after the ack and the messages after it are the state, whatever forks', async () => {
  await fc.assert(
    fc.asyncProperty(steps(true), async (story) => {
      const { chain, clients } = await run(story);
      for (const client of clients) expect(client.trades).toEqual(chain.slots.flat());
    }),
    { numRuns: 300 },
  );
});

test('without forks, messages after the slot of the read are exactly those that it misses', async () => {
  await fc.assert(
    fc.asyncProperty(steps(false), async (story) => {
      const { chain, clients } = await run(story);
      for (const { entries, read, ack } of clients) {
        expect(read?.slot).toBeGreaterThanOrEqual(ack?.slot ?? Number.NaN);
        const later = entries.filter(({ data }) => data.context.slot > (read?.slot ?? 0));
        expect([...(read?.trades ?? []), ...later.map(numberOf)]).toEqual(chain.slots.flat());
      }
    }),
    { numRuns: 300 },
  );
});

test('messages are in the order of the slots, back only by what a fork takes back', async () => {
  await fc.assert(
    fc.asyncProperty(steps(true), async (story) => {
      const { clients } = await run(story);
      for (const { entries } of clients) {
        const seqs = entries.map(({ seq }) => seq);
        expect(seqs).toEqual([...seqs].sort((one, other) => one - other));
        // Slots before the subscription can be taken back too.
        let newest = 0;
        let takenBackMax = Number.POSITIVE_INFINITY;
        for (const { data, isUndo } of entries) {
          const { slot } = data.context;
          if (isUndo) expect(slot).toBeLessThanOrEqual(takenBackMax);
          else expect(slot).toBeGreaterThanOrEqual(newest);
          // A slot without messages may be taken back after this one without a message.
          newest = isUndo ? 0 : slot;
          takenBackMax = slot;
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a client that resumes receives what it missed, as if it had stayed', async () => {
  await fc.assert(
    fc.asyncProperty(steps(true), steps(true), fc.nat(), async (before, after, at) => {
      const chain = new Chain();
      const staying = new Client(chain.hub, null);
      await chain.deliverAll();
      staying.replay();
      for (const step of [...before, ...after]) {
        if (step.kind === 'apply') chain.apply(step.count);
        if (step.kind === 'undo') chain.undo();
        if (step.kind === 'deliver') await chain.deliver();
      }
      await chain.deliverAll();
      const seen = staying.entries.slice(0, at % (staying.entries.length + 1));
      const since = seen.at(-1)?.seq ?? staying.ack?.seq ?? 0;
      const resumed = new Client(chain.hub, since);
      await chain.deliverAll();
      resumed.replay();
      expect([...seen, ...resumed.entries]).toEqual(staying.entries);
    }),
    { numRuns: 100 },
  );
});
