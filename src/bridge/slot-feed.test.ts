import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../tests/support/build-classification.ts';
import { buildBundle, buildChanges, buildToken } from '../../tests/support/build-records.ts';
import { buildRuleHit } from '../../tests/support/build-rule-hit.ts';
import { buildListing, buildOutcome, buildSignal } from '../../tests/support/build-signal.ts';
import { pricedTrade } from '../../tests/support/build-trades.ts';
import { address } from '../../tests/support/build-transaction.ts';
import {
  fakeCandle,
  fakePool,
  fakeWallet,
  MINT,
  OTHER_MINT,
  OTHER_POOL,
  POOL,
  WALLET,
} from '../../tests/support/fake-api-deps.ts';
import { FakeLiveEngine } from '../../tests/support/fake-live-engine.ts';
import type { HolderBalance, SlotChanges } from '../model/derived.ts';
import { ANNOUNCED_HITS_MAX } from '../model/rule-listing.ts';
import { CONTROL_MODEL } from '../model/signal.ts';
import type { SlotFrame } from '../model/slot-frame.ts';
import { type Address, asPriceE18, asRawAmount, asSlot, type PriceE18 } from '../model/units.ts';
import { SlotFeed, UNSEEN_FRAMES_MAX, WALLETS_PER_SLOT_MAX } from './slot-feed.ts';

/** An engine with wallets and a SOL price. */
function engineOf() {
  const engine = new FakeLiveEngine();
  const solUsd: { solUsd: PriceE18 | null } = { solUsd: null };
  return Object.assign(Object.create(engine) as Omit<FakeLiveEngine, 'wallet' | 'solUsd'>, {
    ...solUsd,
    wallet: (wallet: Address) => {
      engine.asked.push(`wallet ${wallet}`);
      return fakeWallet({ address: wallet });
    },
  });
}

function feeding(...wanted: readonly string[]) {
  const engine = engineOf();
  const frames: (SlotFrame | null)[] = [];
  const source = {
    engine,
    finalSlot: asSlot(1),
    step: null,
    appliedStep: null,
    statusOf: () => 'active' as const,
  };
  const feed = new SlotFeed(source, (frame) => frames.push(frame));
  feed.want(wanted, []);
  const apply = (slot: number, changes: Partial<SlotChanges> = {}) => {
    engine.lastSlot = asSlot(slot);
    feed.onApplied(buildChanges(slot, changes));
  };
  const undo = (slot: number, changes: Partial<SlotChanges> = {}) => {
    engine.lastSlot = asSlot(slot - 1);
    feed.onReverted(buildChanges(slot, changes));
  };
  return { engine, feed, frames, apply, undo };
}

const pools = [fakePool(), fakePool({ pool: OTHER_POOL, baseMint: OTHER_MINT })];
const trade = (slot: number, trader: string, txIndex = 0) =>
  pricedTrade({
    ...{ slot, timeMs: 1, trader, side: 'buy', txIndex, baseRaw: 1n, quoteRaw: 1n },
    rest: { pool: POOL, baseMint: MINT },
  });

const balanceOf = (owner: Address): HolderBalance => ({
  ...{ mint: MINT, owner, balanceRaw: asRawAmount(1n), isPool: false },
  ...{ firstSeenMs: null, slot: asSlot(3) },
});

describe('the slot feed', () => {
  test('publishes nothing that is not wanted', () => {
    const { frames, feed, apply, undo } = feeding(`pool pool ${POOL}`);
    apply(2, {
      pools: [fakePool({ pool: OTHER_POOL, baseMint: OTHER_MINT })],
      tokens: [buildToken(MINT)],
    });
    undo(2, { swaps: [trade(2, 'one')] });
    feed.want([], [`pool pool ${POOL}`]);
    apply(3, { pools });
    feed.onReplaced();
    expect(frames).toEqual([]);
    expect(feed.size).toBe(0);
  });

  test.each([
    [`pool pool ${POOL}`, [POOL]],
    [`pool mint ${OTHER_MINT}`, [OTHER_POOL]],
    ['pool', [POOL, OTHER_POOL]],
  ])('publishes the pools of %s', (subject, expected) => {
    const { frames, apply } = feeding(subject);
    apply(2, { pools, timeMs: 7 });
    expect(frames).toMatchObject([
      {
        slot: 2,
        timeMs: 7,
        finalSlot: 1,
        isUndone: false,
        items: expected.map((pool) => ({ topic: 'pool', pool: { pool } })),
      },
    ]);
  });

  test('publishes each slot in the topic chain, also one that changed nothing', () => {
    const { frames, apply } = feeding('chain');
    apply(2);
    apply(4, { timeMs: 0 });
    expect(frames).toMatchObject([
      { slot: 2, timeMs: 2_000, items: [{ topic: 'chain' }] },
      { slot: 4, timeMs: null, items: [{ topic: 'chain' }] },
    ]);
  });

  test('publishes only trades of the slot itself, with the bundles known at its end', () => {
    const { frames, apply } = feeding(`trades wallet ${address('one')}`);
    const own = trade(5, 'one', 1);
    const bundle = buildBundle(MINT, 'one', {
      slot: asSlot(5),
      txIndex: 1,
      owner: address('one'),
    });
    apply(5, { swaps: [trade(4, 'one'), own, trade(5, 'two', 2)], bundles: [bundle] });
    expect(frames).toMatchObject([
      { items: [{ topic: 'trades', trade: { slot: 5, txIndex: 1, flags: ['bundled'] } }] },
    ]);
  });

  test('publishes tokens created in the slot as new, others as changed', () => {
    const { frames, apply } = feeding('new_tokens', `token mint ${MINT}`);
    const created = buildToken(MINT, { creationSlot: asSlot(3) });
    apply(3, { tokens: [created] });
    apply(4, { tokens: [created] });
    expect(frames).toMatchObject([
      { items: [{ topic: 'new_tokens' }, { topic: 'token' }] },
      { items: [{ topic: 'token' }] },
    ]);
  });

  test('publishes candles, findings and signals, but no findings below the threshold and no random minutes', () => {
    const finding = buildClassification();
    const { frames, apply } = feeding(`candles mint ${MINT}`, 'findings', 'signals');
    apply(3, {
      candles: [fakeCandle(0), fakeCandle(0, { scope: OTHER_MINT })],
      classifications: [
        finding,
        buildClassification({ id: 'b', state: 'candidate', detectionSlot: null }),
      ],
      signals: [buildSignal({ rowId: 1 }), buildSignal({ rowId: 2, model: CONTROL_MODEL })],
      outcomes: [buildOutcome({ rowId: 1 }), buildOutcome({ rowId: 2 })],
    });
    expect(frames[0]?.items).toMatchObject([
      { topic: 'candles', candle: { scope: MINT } },
      { topic: 'findings', finding: { classification: { id: finding.id }, status: 'active' } },
      { topic: 'signals', signal: { rowId: buildListing({ rowId: 1 }).rowId } },
    ]);
    expect(frames[0]?.items).toHaveLength(3);
  });

  test('publishes candles as they are shown, and takes back what it published', () => {
    const { frames, apply, undo } = feeding(`candles mint ${MINT}`);
    const priceless = fakeCandle(30_000, { usd: null });
    const changes = {
      candles: [fakeCandle(0, { usd: null }), priceless],
      shownCandles: [fakeCandle(30_000)],
    };
    apply(3, changes);
    undo(3, changes);
    const items = [{ topic: 'candles', candle: fakeCandle(30_000) }];
    expect(frames).toMatchObject([{ items }, { items, isUndone: true }]);
    expect(frames.map((frame) => frame?.items.length)).toEqual([1, 1]);
  });

  test('publishes a wanted wallet that traded or whose balance changed, once a slot', () => {
    const two = address('two');
    const { engine, frames, apply } = feeding(`wallet wallet ${WALLET}`, `wallet wallet ${two}`);
    apply(3, {
      swaps: [trade(3, 'wallet'), trade(3, 'wallet', 1), trade(3, 'three', 2)],
      balances: [balanceOf(two), balanceOf(WALLET)],
    });
    expect(frames[0]?.items).toMatchObject([
      { topic: 'wallet', address: WALLET, wallet: { address: WALLET } },
      { topic: 'wallet', address: two },
    ]);
    expect(engine.asked).toHaveLength(2);
  });

  test('reads a bounded number of wallets per slot, the others with the next slots', () => {
    const owners = Array.from({ length: WALLETS_PER_SLOT_MAX + 5 }, (_, index) =>
      address(`owner ${index}`),
    );
    const { engine, frames, apply } = feeding(...owners.map((owner) => `wallet wallet ${owner}`));
    apply(3, { balances: owners.map((owner) => balanceOf(owner)) });
    expect(engine.asked).toHaveLength(WALLETS_PER_SLOT_MAX);
    apply(4);
    expect(engine.asked).toHaveLength(owners.length);
    expect(frames.map((frame) => frame?.items.length)).toEqual([WALLETS_PER_SLOT_MAX, 5]);
  });

  test('publishes a reverted slot as undone, with the SOL price that it had', () => {
    const { engine, frames, apply, undo } = feeding('pool', `wallet wallet ${WALLET}`);
    const changes = { pools, swaps: [trade(2, 'wallet')] };
    engine.solUsd = asPriceE18(150n);
    apply(2, changes);
    engine.solUsd = asPriceE18(140n);
    undo(2, changes);
    expect(frames[1]).toMatchObject({ slot: 2, isUndone: true, solUsd: 150n });
    const items = frames[1]?.items;
    expect(items?.slice(0, 2)).toEqual(frames[0]?.items.slice(0, 2));
    // The wallet is read with the next slot: its value in this one is no longer known.
    expect(items?.[2]).toEqual({ topic: 'wallet', address: WALLET, wallet: null });
  });

  test('publishes what a fork changed back with the next slot, unless that changed it', () => {
    const { frames, apply, undo } = feeding(
      'pool',
      `token mint ${MINT}`,
      `wallet wallet ${WALLET}`,
    );
    const changes = { pools, tokens: [buildToken(MINT)], swaps: [trade(2, 'wallet')] };
    apply(2, changes);
    undo(2, changes);
    apply(2, { pools: [fakePool({ swapCount: 9 })] });
    expect(frames[2]?.items.map((item) => ('pool' in item ? item.pool.pool : item.topic))).toEqual([
      'token',
      POOL,
      OTHER_POOL,
      'wallet',
    ]);
    apply(3);
    expect(frames).toHaveLength(3);
  });

  test('publishes a candle that a fork changed back with the next slot, unless that changed it', () => {
    const { frames, engine, apply, undo } = feeding(`candles pool ${POOL}`, `candles mint ${MINT}`);
    const ofPool = fakeCandle(30_000, { scope: POOL });
    const candles = [ofPool, fakeCandle(30_000), fakeCandle(30_000, { scope: OTHER_POOL })];
    apply(2, { candles });
    undo(2, { candles });
    apply(2, { candles: [ofPool] });
    expect(frames[2]?.items).toEqual([
      { topic: 'candles', candle: ofPool },
      { topic: 'candles', candle: fakeCandle(30_000, { slot: asSlot(2) }) },
    ]);
    expect(engine.asked).toEqual([`candle ${MINT} 30000`]);
    apply(3);
    expect(frames).toHaveLength(3);
  });

  test('publishes that everything may have changed when the engine was replaced', () => {
    const { frames, feed } = feeding('chain');
    feed.onReplaced();
    expect(frames).toEqual([null]);
  });

  test('drops frames that the API cannot keep up with, and says so before the next', () => {
    const { frames, feed, apply } = feeding('chain');
    for (let slot = 1; slot <= UNSEEN_FRAMES_MAX + 3; slot++) apply(slot);
    expect(frames).toHaveLength(UNSEEN_FRAMES_MAX);
    feed.seen();
    apply(100);
    expect(frames.slice(UNSEEN_FRAMES_MAX)).toMatchObject([null, { slot: 100 }]);
  });

  test('publishes the hits of wanted authors only, with the outcome of their signal, and takes them back', () => {
    const { frames, apply, undo } = feeding('rule_hits author one');
    const { outcome: _, ...hit } = buildRuleHit({ author: 'one', signalRowId: 7 });
    const changes = {
      ruleHits: [hit, { ...hit, rowId: 2, author: 'two' }, { ...hit, rowId: 3, signalRowId: null }],
      outcomes: [buildOutcome({ rowId: 7, roiE9: 5n })],
    };
    apply(20, changes);
    undo(20, changes);
    const items = [
      { topic: 'rule_hits', hit: { rowId: 1, outcome: { roiE9: 5n } } },
      { topic: 'rule_hits', hit: { rowId: 3, outcome: null } },
    ];
    expect(frames).toMatchObject([
      { slot: 20, isUndone: false, items },
      { slot: 20, isUndone: true, items },
    ]);
    expect(frames.map((frame) => frame?.items.length)).toEqual([2, 2]);
  });

  test('publishes so many hits of one author in a slot, and all of the others', () => {
    const { frames, apply } = feeding('rule_hits author one', 'rule_hits author two');
    const { outcome: _, ...hit } = buildRuleHit({ author: 'one' });
    const ruleHits = Array.from({ length: ANNOUNCED_HITS_MAX + 5 }, (_one, at) => ({
      ...hit,
      rowId: at + 1,
    }));
    apply(20, { ruleHits: [...ruleHits, { ...hit, rowId: 9_999, author: 'two' }] });
    const numbers = frames[0]?.items.map((item) => (item as { hit: { rowId: number } }).hit.rowId);
    expect(numbers).toEqual([
      ...Array.from({ length: ANNOUNCED_HITS_MAX }, (_one, at) => at + 1),
      9_999,
    ]);
  });

  test('publishes signals of rules to wanted authors alone, after those of the models', () => {
    const wanted = feeding('signals', 'signals author one');
    const signals = [
      buildSignal({ rowId: 1, model: 'rule:one/dip' }),
      buildSignal({ rowId: 2, model: 'rule:two/dip' }),
      buildSignal({ rowId: 3 }),
      buildSignal({ rowId: 4, model: CONTROL_MODEL }),
    ];
    const outcomes = signals.map(({ rowId }) => buildOutcome({ rowId, roiE9: BigInt(rowId) }));
    wanted.apply(20, { signals, outcomes });
    wanted.undo(20, { signals, outcomes });
    const items = [
      { topic: 'signals', signal: { rowId: 3, model: 'organic_momentum', roiE9: 3n } },
      { topic: 'signals', signal: { rowId: 1, rule: { author: 'one', name: 'dip' }, roiE9: 1n } },
    ];
    expect(wanted.frames).toMatchObject([
      { slot: 20, isUndone: false, items },
      { slot: 20, isUndone: true, items },
    ]);
    const without = feeding('signals', `signals mint ${buildSignal().mint}`);
    without.apply(20, { signals, outcomes });
    expect(without.frames).toMatchObject([{ items: [{ signal: { rowId: 3 } }] }]);
    expect(without.frames[0]?.items).toHaveLength(1);
  });

  test('publishes so many signals of one author in a slot, and all of the others', () => {
    const { frames, apply } = feeding('signals author one', 'signals author two');
    const signals = Array.from({ length: ANNOUNCED_HITS_MAX + 6 }, (_one, at) =>
      buildSignal({
        rowId: at + 1,
        model: at === ANNOUNCED_HITS_MAX + 5 ? 'rule:two/dip' : 'rule:one/dip',
      }),
    );
    const outcomes = signals.map(({ rowId }) => buildOutcome({ rowId }));
    apply(20, { signals, outcomes });
    const numbers = frames[0]?.items.map(
      (item) => (item as { signal: { rowId: number } }).signal.rowId,
    );
    expect(numbers).toEqual([
      ...Array.from({ length: ANNOUNCED_HITS_MAX }, (_one, at) => at + 1),
      ANNOUNCED_HITS_MAX + 6,
    ]);
  });
});
