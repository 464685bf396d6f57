import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, PriceE18, Slot } from '../../src/model/units.ts';
import { TriggerService } from '../../src/service/alerts/trigger-service.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { FiringLog } from '../../src/store/control/firings.ts';
import { StoredTriggers } from '../../src/store/control/triggers.ts';
import { inTransaction } from '../../src/store/sqlite/sqlite-transaction.ts';
import { ACCOUNT, ofToken } from '../support/build-trigger.ts';
import { PeopleMarket, SOL } from '../support/people-market.ts';

const SLOTS = 160;
/** A curve is complete with 85 SOL. */
const CREATOR_BUYS = 84n * SOL;
const LIMITS = [0, 1, 20] as const;
const NOT_FINAL = { isFinal: false };
const newEngine = () => new Engine({ fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 });

interface SimulatedSlot {
  readonly facts: SlotFacts;
  readonly isCanonical: boolean;
}

/** Blocks of all branches of a market in which the first trades complete each bonding curve. */
function simulatedSlots(seed: string): SimulatedSlot[] {
  const market = new PeopleMarket(seed, undefined, { keepsBlocks: false, forkRate: 0.2 });
  for (let launch = 0; launch < 8; launch++) {
    market.planLaunch(launch * 2_000, 1, CREATOR_BUYS);
  }
  const made: SimulatedSlot[] = [];
  for (let passed = 0; passed < SLOTS; passed++) {
    const step = market.world.step();
    if (step === null) continue;
    made.push({ facts: decodeBlock(toChainBlock(step.block)), isCanonical: step.isCanonical });
  }
  // The last branch may be one that loses to a block that was not produced.
  return made.slice(0, made.findLastIndex(({ isCanonical }) => isCanonical) + 1);
}

function launchedMints(slots: readonly SimulatedSlot[]): Address[] {
  const events = slots.flatMap(({ facts }) => facts.transactions.flatMap((one) => one.events));
  return [...new Set(events.flatMap((event) => (event.kind === 'launch' ? [event.mint] : [])))];
}

/** A trigger above each limit for each token. */
const triggersOf = (mints: readonly Address[]) =>
  mints.flatMap((mint) =>
    LIMITS.map((limit) => ({ triggerId: `${mint.slice(0, 8)} above ${limit}`, mint, limit })),
  );

/** An engine with a service that follows every branch, as a live chain requires. */
class FollowingService {
  readonly engine = newEngine();
  readonly service: TriggerService;
  /** Reverted slots that had changed the primary pool of a token. */
  revertedMoves = 0;
  private readonly applied: { readonly changes: SlotChanges; readonly hash: string | null }[] = [];
  private readonly firings: FiringLog;

  constructor(mints: readonly Address[]) {
    const database = openControlPlane(':memory:');
    this.firings = new FiringLog(database, () => 0);
    const store = {
      triggers: new StoredTriggers(database, () => 0),
      firings: this.firings,
      together: <Result>(work: () => Result) => inTransaction(database, work),
    };
    this.service = new TriggerService(
      { engine: this.engine, finalSlot: -1 },
      store,
      () => undefined,
    );
    for (const { triggerId, mint, limit } of triggersOf(mints)) {
      const condition = { field: 'number_of_buys', operator: 'gt', value: String(limit) } as const;
      const conditions = [condition];
      this.service.add({ accountId: ACCOUNT, triggerId, target: ofToken(mint), conditions });
    }
  }

  follow(facts: SlotFacts): void {
    const parent = this.applied.findLastIndex(({ hash }) => hash === facts.previousBlockhash);
    while (this.applied.length > 0 && this.applied.length - 1 > parent) this.undo();
    const changes = this.engine.apply(facts, NOT_FINAL);
    this.applied.push({ changes, hash: facts.blockhash });
    this.service.onApplied(changes);
  }

  private undo(): void {
    const newest = this.applied.pop();
    if (newest === undefined) return;
    const { tokens } = newest.changes;
    this.engine.undo();
    const before = tokens.map(({ mint }) => this.engine.token(mint)?.primaryPool ?? null);
    if (tokens.some(({ primaryPool }, at) => before[at] !== null && before[at] !== primaryPool)) {
      this.revertedMoves++;
    }
    this.service.onReverted(newest.changes);
  }

  /** Firings that were not retracted. */
  get standing(): string[] {
    const { events } = this.service.events({ accountId: ACCOUNT, since: 0, limit: 10_000 });
    return events
      .flatMap((event) => {
        if (event.kind !== 'fired' || event.firing.retractedAtMs !== null) return [];
        const { slot, triggerId, figures } = event.firing;
        return [lineOf(slot, triggerId, figures.pool)];
      })
      .sort();
  }
}

const lineOf = (slot: Slot, triggerId: string, pool: Address) => `${slot} ${triggerId} ${pool}`;

/** The primary pool of a token that has more buys than the limit. */
function poolAbove(engine: Engine, mint: Address, limit: number): Address | null {
  const primary = engine.token(mint)?.primaryPool ?? null;
  const pool = primary === null ? null : engine.pool(primary);
  return pool !== null && pool.buyCount > limit ? pool.pool : null;
}

/** Each rise of the primary pool above a limit, found by reading every token after every slot. */
function risesOf(slots: readonly SimulatedSlot[], mints: readonly Address[]) {
  const engine = newEngine();
  const pools = new Map<string, Address | null>();
  const rises: { readonly line: string; readonly triggerId: string; readonly pool: Address }[] = [];
  for (const { facts } of slots) {
    engine.apply(facts);
    for (const { triggerId, mint, limit } of triggersOf(mints)) {
      const before = pools.get(triggerId) ?? null;
      const pool = poolAbove(engine, mint, limit);
      pools.set(triggerId, pool);
      if (pool === null || before !== null) continue;
      rises.push({ line: lineOf(facts.slot, triggerId, pool), triggerId, pool });
    }
  }
  return rises;
}

describe('triggers of tokens of a simulated market with migrations', () => {
  test('fire on every branch what the canonical chain alone makes true, on its primary pools', () => {
    const slots = simulatedSlots('token triggers');
    const mints = launchedMints(slots);
    const following = new FollowingService(mints);
    for (const { facts } of slots) following.follow(facts);
    const canonical = slots.filter(({ isCanonical }) => isCanonical);
    const rises = risesOf(canonical, mints);
    expect(following.standing).toEqual(rises.map(({ line }) => line).sort());
    // Counts start anew with the pool of a migration: triggers above 0 and 1 fire for both pools.
    const pools = Map.groupBy(rises, ({ triggerId }) => triggerId);
    const moved = [...pools.values()].filter(
      (all) => new Set(all.map(({ pool }) => pool)).size > 1,
    );
    expect(moved).toHaveLength(2 * mints.length);
    expect(following.revertedMoves).toBeGreaterThan(0);
    expect(following.service.counts.retracted).toBeGreaterThan(0);
  });
});
