import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildChanges, buildPool, buildToken } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { FoldPoint, TokenBatch, TrackingUpdate } from '../gathering/messages.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { TokenRecord } from '../model/token-record.ts';
import { type Address, asRawAmount, asSlot, asUsdNano } from '../model/units.ts';
import type { ChangedQuery } from '../store/reads/changed-records.ts';
import { TokenFeed } from './token-feed.ts';

const CAT = address('cat');
const CURVE = address('curve');
const POOL = address('pool');
const TIME_MS = 1_700_000_000_000;

function tokenWith(mint: Address, uri: string | null): TokenRecord {
  const metadata = {
    updateAuthority: null,
    uri,
    creators: null,
    primarySaleHappened: false,
    isMutable: true,
    tokenStandard: null,
    sellerFeeBps: null,
    editionNonce: null,
    collection: null,
    uses: null,
    collectionDetails: null,
    programmableConfig: null,
  };
  return buildToken(mint, { metadata, symbol: 'CAT', primaryPool: POOL });
}

function changesAt(slot: number, parts: Partial<SlotChanges>): SlotChanges {
  return buildChanges(slot, { timeMs: TIME_MS + slot * 400, ...parts });
}

/** A chain, a store that lags behind it, and a thread that stores what it receives. */
class World {
  readonly applied: SlotChanges[] = [];
  finalSlot = -1;
  storedSlot = -1;
  epoch = 1;
  /** Data stored by the thread, which outlives it. */
  readonly kept = new Map<string, string | null>();
  readonly keptTracked = new Map<string, TrackingUpdate>();
  reached: FoldPoint | null = null;
  onTheWay: TokenBatch[] = [];
  readonly received: string[] = [];
  pageReads = 0;
  isUp = false;
  lastSlot = 0;
  readonly feed = new TokenFeed({
    state: this.state(),
    changed: {
      tokens: async (query) =>
        this.page(
          query,
          (changes) => changes.tokens,
          ({ mint }) => mint,
        ),
      pools: async (query) =>
        this.page(
          query,
          (changes) => changes.pools,
          ({ pool }) => pool,
        ),
    },
    send: (batch) => {
      this.onTheWay.push(batch);
      return true;
    },
    onProblem: (error) => {
      throw error;
    },
    pollMs: 1,
    eventsMax: 4,
  });

  apply(slot: number, parts: Partial<SlotChanges>): void {
    const changes = changesAt(slot, parts);
    this.applied.push(changes);
    this.feed.onApplied(changes);
  }

  undo(): void {
    const last = this.applied.at(-1);
    if (last === undefined || last.slot <= this.finalSlot) return;
    this.applied.pop();
    this.feed.onReverted(last);
  }

  makeFinal(slot: number): void {
    this.finalSlot = Math.max(this.finalSlot, Math.min(slot, this.applied.at(-1)?.slot ?? -1));
    this.feed.onStep();
  }

  /** The thread processes the batches sent to it. */
  takeAll(): void {
    for (const batch of this.onTheWay.splice(0)) {
      for (const { mint, uri } of batch.tokens) {
        this.kept.set(mint, uri);
        this.received.push(`${mint} ${uri}`);
      }
      for (const updates of batch.tracked) this.keptTracked.set(updates.mint, updates);
      if (batch.reached !== null) this.reached = batch.reached;
      this.feed.took(batch.number);
    }
  }

  start(): void {
    if (this.isUp) this.crash();
    this.isUp = true;
    this.onTheWay = [];
    this.feed.ready(this.reached, [...this.keptTracked.values()]);
  }

  crash(): void {
    this.isUp = false;
    this.onTheWay = [];
    this.feed.lost();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 12; turn++) {
      this.takeAll();
      await delay(2);
    }
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'apply') {
      const tokens = [tokenWith(address(`token ${step.token}`), `${step.uri}`)];
      this.apply(++this.lastSlot, { tokens });
      return;
    }
    const acts = {
      undo: () => this.undo(),
      final: () => this.makeFinal(this.lastSlot - 2),
      store: () => {
        this.storedSlot = this.finalSlot;
      },
      receive: () => this.takeAll(),
      crash: () => this.crash(),
      start: () => this.start(),
      wait: () => delay(1),
    };
    await acts[step.kind]();
  }

  /** Finalises and stores everything; returns what the thread should then know. */
  async end(): Promise<Map<string, string | null>> {
    if (!this.isUp) this.start();
    this.makeFinal(this.lastSlot);
    this.storedSlot = this.finalSlot;
    await this.settle();
    const expected = new Map<string, string | null>();
    for (const { mint, metadata } of this.applied.flatMap(({ tokens }) => tokens)) {
      expected.set(mint, metadata?.uri ?? null);
    }
    this.crash();
    return expected;
  }

  private state() {
    const world = this;
    const newest = <Row>(
      rowsOf: (changes: SlotChanges) => readonly Row[],
      has: (row: Row) => boolean,
    ) => world.applied.flatMap(rowsOf).findLast(has) ?? null;
    return {
      engine: {
        get lastSlot() {
          return world.applied.at(-1)?.slot ?? null;
        },
        token: (mint: Address) =>
          newest(
            (changes) => changes.tokens,
            (one) => one.mint === mint,
          ),
        pool: (pool: Address) =>
          newest(
            (changes) => changes.pools,
            (one) => one.pool === pool,
          ),
      },
      get finalSlot() {
        return world.finalSlot;
      },
      get stored() {
        const slot = world.storedSlot < 0 ? null : asSlot(world.storedSlot);
        return { epoch: world.epoch, slot };
      },
    };
  }

  /** The newest version of each record whose slot is within the span, as from the store. */
  private async page<Row>(
    { afterSlot, throughSlot, afterAddress, limit }: ChangedQuery,
    rowsOf: (changes: SlotChanges) => readonly Row[],
    keyOf: (row: Row) => string,
  ): Promise<Row[]> {
    this.pageReads++;
    const newest = new Map<string, { row: Row; slot: number }>();
    for (const changes of this.applied.filter(({ slot }) => slot <= this.storedSlot)) {
      for (const row of rowsOf(changes)) newest.set(keyOf(row), { row, slot: changes.slot });
    }
    return [...newest]
      .filter(
        ([key, { slot }]) => key > afterAddress && slot > (afterSlot ?? -1) && slot <= throughSlot,
      )
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .slice(0, limit)
      .map(([, { row }]) => row);
  }
}

type Step =
  | { readonly kind: 'apply'; readonly token: number; readonly uri: number }
  | { readonly kind: 'undo' | 'final' | 'store' | 'receive' | 'crash' | 'start' | 'wait' };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      token: fc.nat(5),
      uri: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('final', 'store', 'receive', 'crash', 'start', 'wait'),
    }),
  },
);

describe('TokenFeed', () => {
  it('sends a token once its slot is final, and again only with a different URI', async () => {
    const world = new World();
    world.start();
    await world.settle();
    world.apply(1, { tokens: [tokenWith(CAT, 'one')] });
    world.makeFinal(0);
    await world.settle();
    expect(world.received).toEqual([]);
    world.makeFinal(1);
    world.apply(2, { tokens: [tokenWith(CAT, 'one')] });
    world.apply(3, { tokens: [tokenWith(CAT, 'two')] });
    world.makeFinal(3);
    await world.settle();
    expect(world.received).toEqual([`${CAT} one`, `${CAT} two`]);
    expect(world.reached).toEqual({ epoch: 1, slot: 3 });
    expect(world.pageReads).toBe(0);
  });

  it('never sends data of reverted slots', async () => {
    const world = new World();
    world.start();
    await world.settle();
    world.apply(1, { tokens: [tokenWith(CAT, 'lost')] });
    world.undo();
    world.apply(2, { tokens: [tokenWith(CAT, 'lost')] });
    world.undo();
    world.apply(3, { tokens: [tokenWith(CAT, 'won')] });
    world.makeFinal(3);
    await world.settle();
    expect(world.received).toEqual([`${CAT} won`]);
  });

  it('has at most four batches in flight', async () => {
    const world = new World();
    world.start();
    await world.settle();
    for (let slot = 1; slot <= 9; slot++) {
      world.apply(slot, { tokens: [tokenWith(address(`token ${slot}`), 'u')] });
      world.makeFinal(slot);
    }
    expect(world.onTheWay).toHaveLength(4);
    world.storedSlot = 9;
    await world.settle();
    expect(world.kept.size).toBe(9);
  });

  it('sends everything stored when the engine is replaced', async () => {
    const world = new World();
    world.start();
    await world.settle();
    world.apply(1, { tokens: [tokenWith(CAT, 'one')] });
    world.makeFinal(1);
    await world.settle();
    // After late history, the new fold knows a token of an earlier slot.
    const dog = address('dog');
    world.applied.unshift(changesAt(0, { tokens: [tokenWith(dog, 'late')] }));
    world.epoch = 2;
    world.storedSlot = 1;
    world.feed.onReplaced();
    await world.settle();
    expect(world.kept.get(dog)).toBe('late');
    expect(world.reached).toEqual({ epoch: 2, slot: 1 });
  });

  it('tracks a token from its migration or its lock on, whichever is first', async () => {
    const world = new World();
    world.start();
    await world.settle();
    const pool = (parts: Partial<PoolRecord>) => buildPool(POOL, CAT, parts);
    const locked = (lockedRaw: bigint) => ({
      issuedRaw: asRawAmount(1_000n),
      lockedRaw: asRawAmount(lockedRaw),
    });
    const tokens = [tokenWith(CAT, null)];
    const usd = (dollars: bigint) => asUsdNano(dollars * 1_000_000_000n);
    world.apply(1, { tokens, pools: [pool({ lockedLiquidity: locked(899n) })] });
    world.makeFinal(1);
    await world.settle();
    expect(world.keptTracked.size).toBe(0);
    world.apply(2, {
      pools: [pool({ lockedLiquidity: locked(900n), liquidityUsd: usd(10_000n) })],
    });
    world.makeFinal(2);
    await world.settle();
    const first = { mint: CAT, trackingSinceMs: TIME_MS + 800, symbol: 'CAT', isLiquid: false };
    expect([...world.keptTracked.values()]).toEqual([first]);
    // The migration is later; one dollar more makes it liquid; an unlock does not end tracking.
    world.apply(3, {
      pools: [
        buildPool(CURVE, CAT, { migratedTo: POOL }),
        pool({ lockedLiquidity: locked(0n), liquidityUsd: usd(10_001n) }),
      ],
    });
    world.makeFinal(3);
    await world.settle();
    expect([...world.keptTracked.values()]).toEqual([{ ...first, isLiquid: true }]);
  });

  it('loses nothing final, regardless of lost messages and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async (steps) => {
        const world = new World();
        for (const step of steps) await world.take(step);
        const expected = await world.end();
        expect(world.kept).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
