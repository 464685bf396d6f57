import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitrarySlots } from '../../tests/support/arbitrary-slots.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { Engine } from '../engine/engine.ts';
import { Fold } from '../ingestion/fold.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { SlotGap } from '../model/slot-range.ts';
import { type LiveRow, type LiveRowName, readLiveRow } from './live-rows.ts';
import { LiveView } from './live-view.ts';
import { Publisher } from './publisher.ts';
import { WatchedRows } from './watched-rows.ts';

const HOLDERS_MAX = 3;
const MINTS = ['token-t', 'token-u', 'lp-t'].map(address);
const POOLS = ['pool-t', 'pool-u', 'pool-v', 'pool-w', 'sol-usd'].map(address);
const NAMES: readonly LiveRowName[] = [
  ...POOLS.flatMap((pool) =>
    (['pool', 'indicators'] as const).map((kind) => ({ kind, address: pool })),
  ),
  ...[...MINTS, WRAPPED_SOL].flatMap((mint) =>
    (['token', 'holders'] as const).map((kind) => ({ kind, address: mint })),
  ),
];

/**
 * Rows that may depend on the past: locked liquidity is as of the record's own slot, and a holder
 * is recognised as the owner of a pool from its next change on.
 */
function comparable({ kind, address: of, value }: LiveRow): unknown {
  if (kind === 'pool') return value === null ? null : { ...value, lockedLiquidity: of };
  if (kind === 'holders') return { ...value, pools: [] };
  return value;
}

const LIMITS = { token: 2, pool: 3, holders: 2, indicators: 2 };

/** An engine and its view; all messages between them are copied as between threads. */
class Scene {
  readonly gaps: SlotGap[] = [];
  readonly standstill = null;
  readonly storedAhead = null;
  readonly isRebuilding = false;
  private readonly left: SlotFacts[];
  private readonly applied: SlotFacts[] = [];
  private readonly watched = new WatchedRows(HOLDERS_MAX);
  private readonly publisher = new Publisher(this, this.watched, (publication) => {
    this.view.publish(structuredClone(publication));
    this.publisher.seen();
  });
  // Fewer than there are rows, so that rows are constantly dropped.
  readonly view = new LiveView(LIMITS, (rows) => {
    for (const row of rows) this.watched.unwatch(row);
  });
  private fold = this.newFold();

  constructor(slots: readonly SlotFacts[]) {
    this.left = [...slots];
    this.fold.listener = this.publisher;
    this.publisher.publish();
  }

  get engine(): Engine {
    return this.fold.engine;
  }

  async apply(): Promise<void> {
    const facts = this.left.shift();
    if (facts === undefined) return;
    await this.fold.addTail(facts);
    this.applied.push(facts);
  }

  async revert(): Promise<void> {
    await this.fold.revert();
    this.applied.pop();
  }

  /** Refolds all slots, as after a late one. */
  async refold(): Promise<void> {
    const fold = this.newFold();
    for (const facts of this.applied) await fold.addTail(facts);
    fold.listener = this.publisher;
    this.fold = fold;
    this.publisher.onReplaced();
  }

  read(name: LiveRowName): void {
    if (this.view.get(name.kind, name.address) !== undefined) return;
    this.view.keep(structuredClone(this.publisher.rows([name])));
  }

  publish(): void {
    this.publisher.publish();
  }

  /** Checks every row of the view against the engine; returns their number. */
  assertRight(): number {
    let kept = 0;
    for (const name of NAMES) {
      const value = this.view.get(name.kind, name.address);
      if (value === undefined) continue;
      kept++;
      const said = readLiveRow(this.engine, name, HOLDERS_MAX);
      expect(comparable({ ...name, value } as LiveRow)).toEqual(comparable(said));
    }
    return kept;
  }

  private newFold(): Fold {
    return new Fold(new Engine({ fallbackSolUsd }), 1, () => 0);
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant('apply' as const) },
  { weight: 2, arbitrary: fc.constant('revert' as const) },
  { weight: 1, arbitrary: fc.constant('refold' as const) },
  { weight: 3, arbitrary: fc.constant('publish' as const) },
  { weight: 8, arbitrary: fc.constantFrom(...NAMES) },
);

describe('cached rows', () => {
  test('equal the engine after any slots, undos, refolds, reads and evictions', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        arbitrarySlots({ minLength: 1, maxLength: 12 }),
        fc.array(step, { minLength: 10, maxLength: 60 }),
        async (slots, steps) => {
          const scene = new Scene(slots);
          for (const each of steps) {
            if (typeof each === 'object') scene.read(each);
            else await scene[each]();
            if (each === 'publish') compared += scene.assertRight();
          }
          scene.publish();
          scene.assertRight();
          expect(scene.view.freshness().slot).toBe(scene.engine.lastSlot);
        },
      ),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});
