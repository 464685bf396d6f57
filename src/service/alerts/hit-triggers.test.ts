import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildRuleHit } from '../../../tests/support/build-rule-hit.ts';
import { BUSY, ofToken } from '../../../tests/support/build-trigger.ts';
import { fakePool, MINT, POOL } from '../../../tests/support/fake-api-deps.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { HitCondition, TriggerEvent } from '../../model/trigger.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import type { TriggerChanges } from './judged-targets.ts';
import { TriggerService } from './trigger-service.ts';

const ACCOUNT = 'one';
const ON_DIP: HitCondition = {
  ...{ field: 'rule_hit_confidence', operator: 'gt', value: '0.5', rule: 'dip', author: 'account' },
};
const REQUEST = {
  ...{ accountId: ACCOUNT, triggerId: 'on dip', target: ofToken(MINT), conditions: [] },
  hits: [ON_DIP],
};

const hitOf = (given: Partial<RuleHit> = {}): RuleHit =>
  buildRuleHit({ author: ACCOUNT, mint: MINT, pool: POOL, ...given });

/** The slots of one branch, and the process that judges them. */
class Stage {
  readonly events: TriggerEvent[] = [];
  finalSlot = -1;
  private slots: TriggerChanges[] = [];
  private service: TriggerService | null = null;
  private readonly database: DatabaseSync;
  private readonly pool = fakePool({ pool: POOL, baseMint: MINT, buyCount: 11, slot: asSlot(1) });

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  readonly engine = {
    stage: this,
    get lastSlot(): Slot | null {
      return this.stage.slots.at(-1)?.slot ?? null;
    },
    pool: () => this.pool,
    token: () => ({ primaryPool: POOL, slot: asSlot(1) }),
  };

  get triggers(): TriggerService {
    if (this.service === null) throw new Error('the process is not running');
    return this.service;
  }

  /** Slots that are not final are gone: they are applied again by the caller. */
  start(): void {
    this.slots = this.slots.filter(({ slot }) => slot <= this.finalSlot);
    const store = {
      triggers: new StoredTriggers(this.database, () => 0),
      firings: new FiringLog(this.database, () => 0),
      together: <Result>(work: () => Result) => inTransaction(this.database, work),
    };
    this.service = new TriggerService(this, store, (events) => this.events.push(...events));
  }

  get length(): number {
    return this.slots.length;
  }

  apply(slot: number, ruleHits: readonly RuleHit[]): void {
    const changes = { slot: asSlot(slot), pools: [], ruleHits };
    this.slots.push(changes);
    this.triggers.onApplied(changes);
  }

  undo(): boolean {
    const newest = this.slots.at(-1);
    if (newest === undefined || newest.slot <= this.finalSlot) return false;
    this.slots.pop();
    this.triggers.onReverted(newest);
    return true;
  }

  finalise(slot: number): void {
    this.finalSlot = Math.max(this.finalSlot, Math.min(slot, this.engine.lastSlot ?? -1));
    this.triggers.onBeforeWrite();
  }

  /** Slots of the firings that are valid. */
  standing(): number[] {
    return this.database
      .prepare('SELECT slot FROM trigger_firings WHERE retraction_number IS NULL ORDER BY slot')
      .all()
      .map(({ slot }) => Number(slot));
  }
}

let folder: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hit-triggers-'));
  database = openControlPlane(join(folder, 'control.sqlite'));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe('triggers on hits of rules', () => {
  test('fire in each slot with a hit, name the rule, and take a firing of a fork back', () => {
    const stage = new Stage(database);
    stage.start();
    expect(stage.triggers.add(REQUEST).kind).toBe('done');
    expect(stage.triggers.size).toBe(1);
    stage.apply(10, [hitOf({ slot: asSlot(10) })]);
    stage.apply(11, [hitOf({ slot: asSlot(11), confidence: 0.6, version: 2 })]);
    stage.apply(12, [hitOf({ author: 'two' })]);
    stage.undo();
    stage.undo();
    stage.apply(11, []);
    expect(stage.events).toMatchObject([
      {
        kind: 'fired',
        firing: {
          slot: 10,
          figures: { pool: POOL },
          comparisons: [{ ...ON_DIP, compared: '0.75', ruleId: 'dip@1+0123456789abcdef' }],
        },
      },
      { kind: 'fired', firing: { number: 2, slot: 11, comparisons: [{ compared: '0.6' }] } },
      { kind: 'retracted', retraction: { firedNumber: 2, slot: 11 } },
    ]);
    expect(stage.standing()).toEqual([10]);
  });

  test('follow a change of their conditions from hits to figures and back', () => {
    const stage = new Stage(database);
    stage.start();
    const name = { accountId: ACCOUNT, triggerId: 'on dip' };
    stage.triggers.add(REQUEST);
    // Eleven buys are there already.
    stage.triggers.update(name, { conditions: [BUSY] });
    expect(stage.events).toMatchObject([{ kind: 'fired', firing: { comparisons: [BUSY] } }]);
    stage.apply(10, [hitOf()]);
    expect(stage.events).toHaveLength(1);
    const mixed = { conditions: [BUSY], hits: [ON_DIP] };
    expect(stage.triggers.update(name, mixed)).toMatchObject({ trigger: mixed });
    expect(stage.triggers.update(name, mixed)).toMatchObject({ trigger: { revision: 3 } });
    stage.apply(11, [hitOf()]);
    expect(stage.events).toHaveLength(2);
    expect(stage.events[1]).toMatchObject({
      firing: { slot: 11, comparisons: [{ ...BUSY, compared: '11' }, { compared: '0.75' }] },
    });
    stage.triggers.remove(name);
    stage.apply(12, [hitOf()]);
    expect([stage.events.length, stage.triggers.size]).toEqual([2, 0]);
  });

  test('through any forks and restarts, the firings that stand are those of the slots that stand', () => {
    let retracted = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 15, maxLength: 40 }), (steps) => {
        const own = openControlPlane(':memory:');
        const stage = new Stage(own);
        stage.start();
        stage.triggers.add(REQUEST);
        const branches = play(stage, steps);
        const expected = branches.flatMap((branch, at) => (isHit(at + 1, branch) ? at + 1 : []));
        expect(stage.standing()).toEqual(expected);
        retracted += stage.events.filter(({ kind }) => kind === 'retracted').length;
        own.close();
      }),
      { numRuns: 25, seed: 7 },
    );
    // The property would say nothing if no firing had ever been taken back.
    expect(retracted).toBeGreaterThan(5);
  });
});

const BRANCHES = 3;
const SLOTS = 45;

const apply = fc.record({ kind: fc.constant('apply'), count: fc.nat(BRANCHES - 1) });
const step = fc.oneof(
  { weight: 4, arbitrary: apply },
  fc.record({ kind: fc.constant('undo'), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('finalise'), count: fc.nat(3) }),
  fc.record({ kind: fc.constant('restart'), count: fc.constant(0) }),
);

/** Whether a slot of a branch has a hit. */
function isHit(slot: number, branch: number): boolean {
  return (slot * 7 + branch * 5) % 3 !== 0;
}

/** The branch of each slot of the chain in the end, from slot 1 on. */
function play(stage: Stage, steps: readonly { kind: string; count: number }[]): number[] {
  const branches: number[] = [];
  const extend = (branch: number) => {
    branches.push(branch);
    const slot = branches.length;
    stage.apply(slot, isHit(slot, branch) ? [hitOf({ slot: asSlot(slot) })] : []);
  };
  for (const { kind, count } of steps) {
    if (kind === 'apply') extend(count);
    if (kind === 'finalise') stage.finalise(branches.length - count);
    if (kind === 'restart') stage.start();
    for (let at = 0; kind === 'undo' && at < count; at++) stage.undo();
    branches.length = stage.length;
  }
  // What is unconfirmed is decided once the chain has passed it.
  while (branches.length < SLOTS) extend(0);
  return branches;
}
