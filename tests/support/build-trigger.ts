import { poolFiguresOf } from '../../src/model/pool-figures.ts';
import type { Condition, Firing, StoredTrigger, TriggerTarget } from '../../src/model/trigger.ts';
import type { Address } from '../../src/model/units.ts';
import { fakePool, POOL, SLOT } from './fake-api-deps.ts';

export const ACCOUNT = 'account of reader';

/** More than ten buys. */
export const BUSY: Condition = { field: 'number_of_buys', operator: 'gt', value: '10' };

export function ofPool(address: Address): TriggerTarget {
  return { kind: 'pool', address };
}

export function ofToken(address: Address): TriggerTarget {
  return { kind: 'token', address };
}

export function buildTrigger(overrides: Partial<StoredTrigger> = {}): StoredTrigger {
  return {
    accountId: ACCOUNT,
    triggerId: 'busy pool',
    target: ofPool(POOL),
    conditions: [BUSY],
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    key: 1,
    revision: 1,
    ...overrides,
  };
}

export function buildFiring(overrides: Partial<Firing> = {}): Firing {
  return {
    accountId: ACCOUNT,
    number: 1,
    triggerKey: 1,
    revision: 1,
    triggerId: 'busy pool',
    slot: SLOT,
    firedAtMs: 1_700_000_000_000,
    figures: poolFiguresOf(fakePool()),
    comparisons: [{ ...BUSY, compared: '11' }],
    retractedAtMs: null,
    ...overrides,
  };
}
