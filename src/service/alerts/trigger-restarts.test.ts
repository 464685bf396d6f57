import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { ACCOUNT, BUSY, ofPool, ofToken } from '../../../tests/support/build-trigger.ts';
import { fakePool, fakeToken, MINT, POOL } from '../../../tests/support/fake-api-deps.ts';
import type { TargetKind, TriggerOperator } from '../../model/trigger.ts';
import { type Address, asSlot, type Slot } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import { TriggerService } from './trigger-service.ts';

/**
 * Buys after a slot; null if the slot did not change them. Those of a pool, or those of the primary
 * pool of a token: each block that changes them makes another pool primary, one that is older than
 * all blocks and never changes itself.
 */
interface Block {
  readonly slot: number;
  readonly buys: number | null;
}

const RUNS = Number(process.env.MINTSCOPE_TRIGGER_RUNS ?? 600);

/** A trigger is true above ten times its level. */
const LEVELS = [1, 2] as const;
const isTrueAt = (level: number, buys: number) => buys > level * 10;
const SOME_BUYS = [5, 15, 25] as const;

/**
 * A service of one pool: stored blocks, final blocks waiting to be written, and a tail. It may be
 * stopped or killed at any point; other processes may store blocks while it is down, and the rules
 * of another version may produce different results for the same blocks.
 */
class FakeService {
  readonly kind: TargetKind;
  readonly database = openControlPlane(':memory:');
  triggerService: TriggerService | null = null;
  blocks: Block[] = [];
  finalSlot = -1;
  storedSlot = -1;
  /** Blocks of all branches. */
  highestSlot = -1;

  constructor(kind: TargetKind) {
    this.kind = kind;
  }

  readonly state = {
    service: this,
    engine: {
      service: this,
      get lastSlot(): Slot | null {
        const slot = this.service.blocks.at(-1)?.slot;
        return slot === undefined ? null : asSlot(slot);
      },
      pool: (pool: Address) => {
        const { lastChange } = this;
        if (this.kind === 'token') return OLDER_POOLS.get(pool) ?? null;
        return lastChange === undefined ? null : recordOf(lastChange);
      },
      token: () => {
        const { lastChange } = this;
        return lastChange === undefined ? null : tokenOf(lastChange);
      },
    },
    get finalSlot(): number {
      return this.service.finalSlot;
    },
  };

  private get lastChange(): Block | undefined {
    return this.blocks.findLast(({ buys }) => buys !== null);
  }

  get lastSlot(): number {
    return this.blocks.at(-1)?.slot ?? -1;
  }

  /** In-memory data is gone: a start continues from the stored data. */
  start(): void {
    this.blocks = this.blocks.filter(({ slot }) => slot <= this.storedSlot);
    this.finalSlot = this.lastSlot;
    const store = {
      triggers: new StoredTriggers(this.database, () => 0),
      firings: new FiringLog(this.database, () => 0),
      together: <Result>(work: () => Result) => inTransaction(this.database, work),
    };
    this.triggerService = new TriggerService(this.state, store, () => undefined);
  }

  add(level: number, operator: TriggerOperator): void {
    const triggerId = `above ${level * 10}`;
    const conditions = [{ ...BUSY, operator, value: String(level * 10) }];
    const target = this.kind === 'pool' ? ofPool(POOL) : ofToken(MINT);
    this.triggerService?.add({ accountId: ACCOUNT, triggerId, target, conditions });
  }

  apply(block: Block): void {
    this.blocks.push(block);
    this.highestSlot = Math.max(this.highestSlot, block.slot);
    this.triggerService?.onApplied(changesOf(block, this.kind));
  }

  undo(): void {
    if (this.lastSlot <= this.finalSlot) return;
    const newest = this.blocks.pop();
    if (newest !== undefined) this.triggerService?.onReverted(changesOf(newest, this.kind));
  }

  finalise(slot: number): void {
    this.finalSlot = Math.max(this.finalSlot, Math.min(slot, this.lastSlot));
  }

  /** Writes final blocks; if killed in between, only blocks up to `reached` are stored. */
  write(reached = Number.POSITIVE_INFINITY): void {
    this.triggerService?.onBeforeWrite();
    const final = this.blocks.filter(({ slot }) => slot <= Math.min(this.finalSlot, reached));
    this.storedSlot = Math.max(this.storedSlot, final.at(-1)?.slot ?? -1);
  }

  stop(): void {
    while (this.lastSlot > this.finalSlot) this.undo();
    this.write();
    this.triggerService = null;
  }

  /** Slots of valid firings, by level. */
  standing(): number[][] {
    const rows = this.database
      .prepare(
        'SELECT trigger_id, slot FROM trigger_firings WHERE retraction_number IS NULL ORDER BY slot, number',
      )
      .all();
    return LEVELS.map((level) =>
      rows
        .filter(({ trigger_id: id }) => id === `above ${level * 10}`)
        .map(({ slot }) => Number(slot)),
    );
  }
}

function recordOf({ slot, buys }: Block) {
  return fakePool({ slot: asSlot(slot), buyCount: buys ?? 0 });
}

/** One pool for each number of buys. */
const poolWith = (buys: number) => address(`pool with ${buys} buys`);
const OLDER_POOLS = new Map(
  SOME_BUYS.map((buys) => [
    poolWith(buys),
    fakePool({ pool: poolWith(buys), slot: asSlot(0), buyCount: buys }),
  ]),
);

function tokenOf({ slot, buys }: Block) {
  return fakeToken({ slot: asSlot(slot), primaryPool: poolWith(buys ?? 0) });
}

function changesOf(block: Block, kind: TargetKind) {
  const slot = asSlot(block.slot);
  if (block.buys === null) return { slot, pools: [] };
  if (kind === 'pool') return { slot, pools: [recordOf(block)] };
  return { slot, pools: [], tokens: [tokenOf(block)] };
}

/** The sequence of evaluated levels: each rise among them is a firing. */
class PlainView {
  private isTrue = LEVELS.map(() => false);
  private buys = 0;
  private changedAt = -1;
  readonly rises: number[][] = LEVELS.map(() => []);

  pass({ slot, buys }: Block): void {
    if (buys === null) return;
    this.buys = buys;
    this.changedAt = slot;
  }

  /** What is true when the triggers are added is no rise. */
  begin(): void {
    this.isTrue = LEVELS.map((level) => isTrueAt(level, this.buys));
  }

  look(): void {
    for (const [index, level] of LEVELS.entries()) {
      const isTrue = isTrueAt(level, this.buys);
      if (isTrue && this.isTrue[index] === false) this.rises[index]?.push(this.changedAt);
      this.isTrue[index] = isTrue;
    }
  }
}

const someBuys = fc.option(fc.constantFrom(...SOME_BUYS), { nil: null, freq: 4 });
const someStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('apply' as const), buys: someBuys }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('final' as const), behind: fc.nat({ max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('killWriting' as const), behind: fc.nat({ max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('away' as const),
      stored: fc.array(someBuys, { maxLength: 4 }),
    }),
  },
);
const someStart = fc.record({
  /** Final and stored before the triggers are added. */
  before: fc.array(someBuys, { maxLength: 3 }),
  operator: fc.constantFrom<TriggerOperator[]>('gt', 'crosses_above'),
});
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Takes a step; final blocks lost from memory by a kill are read again from the source. */
function take(step: Step, service: FakeService, unseen: Set<number>): void {
  switch (step.kind) {
    case 'apply':
      service.apply({ slot: service.lastSlot + 1, buys: step.buys });
      return;
    case 'undo':
      service.undo();
      return;
    case 'final':
      service.finalise(service.lastSlot - step.behind);
      return;
    case 'write':
      service.write();
      return;
    case 'kill':
      killed(service);
      return;
    case 'killWriting':
      service.write(service.finalSlot - step.behind);
      killed(service);
      return;
    case 'away':
      settle(service);
      service.stop();
      for (const [index, buys] of step.stored.entries()) {
        const slot = service.lastSlot + 1;
        service.blocks.push({ slot, buys });
        service.storedSlot = slot;
        // The state after the last of them is evaluated by the start.
        if (index < step.stored.length - 1) unseen.add(slot);
      }
      service.start();
  }
}

/** Moves past everything that may be unconfirmed. */
function settle(service: FakeService): void {
  const beyond = service.highestSlot + 1;
  while (service.lastSlot < beyond) {
    service.apply({ slot: service.lastSlot + 1, buys: null });
  }
  service.finalise(service.lastSlot);
}

function killed(service: FakeService): void {
  const { finalSlot } = service;
  const lost = service.blocks.filter(({ slot }) => slot > service.storedSlot && slot <= finalSlot);
  service.start();
  for (const block of lost) service.apply(block);
  service.finalise(finalSlot);
}

/** The triggers were added with `operator` after the `before` oldest blocks. */
function expectedOf(
  service: FakeService,
  unseen: ReadonlySet<number>,
  { before, operator }: { readonly before: number; readonly operator: TriggerOperator },
): number[][] {
  const plain = new PlainView();
  for (const block of service.blocks.slice(0, before)) plain.pass(block);
  if (operator === 'gt') plain.look();
  else plain.begin();
  for (const block of service.blocks.slice(before)) {
    plain.pass(block);
    if (!unseen.has(block.slot)) plain.look();
  }
  return plain.rises;
}

describe('triggers of a service that is stopped and killed', () => {
  test.each([
    ['of a pool', 'pool'],
    ['of a token whose primary pool is another one after each change', 'token'],
  ] as const)(
    '%s fire once for each observable rise, regardless of what was stored meanwhile',
    (_, kind) => {
      fc.assert(
        fc.property(someStart, fc.array(someStep, { maxLength: 40 }), (begun, steps) => {
          const service = new FakeService(kind);
          const unseen = new Set<number>();
          service.start();
          for (const [slot, buys] of begun.before.entries()) service.apply({ slot, buys });
          service.finalise(service.lastSlot);
          service.write();
          for (const level of LEVELS) service.add(level, begun.operator);
          for (const step of steps) take(step, service, unseen);
          settle(service);
          expect(service.standing()).toEqual(
            expectedOf(service, unseen, { ...begun, before: begun.before.length }),
          );
          service.database.close();
        }),
        { numRuns: RUNS },
      );
    },
    60_000 + RUNS * 30,
  );
});
