import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUSY, ofPool } from '../../../tests/support/build-trigger.ts';
import { fakePool, POOL } from '../../../tests/support/fake-api-deps.ts';
import type { RowChange, SharedRows } from '../../model/shared-rows.ts';
import type { TriggerEvent } from '../../model/trigger.ts';
import { asSlot } from '../../model/units.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { FiringLog } from '../../store/control/firings.ts';
import { SharedControl } from '../../store/control/shared/shared-control.ts';
import { StoredTriggers } from '../../store/control/triggers.ts';
import { inTransaction } from '../../store/sqlite/sqlite-transaction.ts';
import { TriggerService } from '../alerts/trigger-service.ts';
import { applyShared } from './control-effects.ts';

const NAME = { accountId: 'one', triggerId: 'busy' };
const REQUEST = { ...NAME, target: ofPool(POOL), conditions: [BUSY] };
const ROWS: readonly SharedRows[] = [{ table: 'triggers', where: { account_id: 'one' } }];

/** A replica at a slot after which a pool was bought often. */
class Replica {
  readonly database: DatabaseSync = openControlPlane(':memory:');
  readonly triggers = new StoredTriggers(this.database);
  readonly tables = new SharedControl(this.database);
  readonly published: TriggerEvent[] = [];
  readonly reviewed: string[] = [];
  reloads = 0;
  readonly service: TriggerService;
  isFailing = false;

  constructor() {
    const { database, triggers } = this;
    const pool = fakePool({ buyCount: 11, slot: asSlot(7) });
    const state = {
      engine: { lastSlot: asSlot(7), pool: () => pool, token: () => null },
      finalSlot: 7,
    };
    const store = {
      triggers,
      firings: new FiringLog(database),
      together: <Result>(work: () => Result) => inTransaction(database, work),
    };
    this.service = new TriggerService(state, store, (events) => this.published.push(...events));
  }

  take(seq: number, changes: readonly RowChange[]): void {
    const followers = {
      triggers: this.service,
      webhooks: { reloadSubscribers: () => this.reloads++ },
      onReview: (id: string) => this.reviewed.push(id),
    };
    applyShared(followers, changes, () => {
      const changed = this.tables.takeRows(seq, changes);
      if (this.isFailing) throw new Error('the process ends here');
      return changed;
    });
  }
}

let one: Replica;
let other: Replica;
beforeEach(() => {
  one = new Replica();
  other = new Replica();
});
afterEach(() => {
  one.database.close();
  other.database.close();
});

const rehearse = (work: () => unknown) => one.tables.rehearse([], ROWS, work).changes;

test('a trigger that is true fires on each replica where it is stored, with one number', () => {
  const changes = rehearse(() => one.triggers.add(REQUEST));
  expect(one.published).toEqual([]);
  for (const replica of [one, other]) replica.take(1, changes);
  for (const { published, service } of [one, other]) {
    expect(published).toMatchObject([{ kind: 'fired', firing: { number: 1, slot: 7 } }]);
    expect(service.size).toBe(1);
  }
});

test('the same change again, as after a restart, neither fires nor counts again', () => {
  const changes = rehearse(() => one.triggers.add(REQUEST));
  one.take(1, changes);
  one.take(1, changes);
  one.take(2, changes);
  expect(one.published).toHaveLength(1);
  expect(one.tables.position.rowsSeq).toBe(2);
});

test('a removed trigger is judged no more', () => {
  one.take(
    1,
    rehearse(() => one.triggers.add(REQUEST)),
  );
  one.take(
    2,
    rehearse(() => one.triggers.remove(NAME)),
  );
  expect(one.service.size).toBe(0);
});

test('a change, its firing and its position are stored together or not at all', () => {
  const changes = rehearse(() => one.triggers.add(REQUEST));
  one.isFailing = true;
  expect(() => one.take(1, changes)).toThrow('the process ends here');
  expect([...one.triggers.all()]).toEqual([]);
  expect(one.service.size).toBe(0);
  expect(one.tables.position.rowsSeq).toBe(0);
  one.isFailing = false;
  one.take(1, changes);
  expect(one.published).toHaveLength(1);
});

test('webhooks and reviews reach those who follow them', () => {
  const entry = {
    ...{ entry: 1, classification_id: 'found', from_status: 'active', to_status: 'archived' },
    ...{ account_id: 'one', key_id: 'k', note: null, at_ms: 1 },
  };
  one.take(1, [
    { table: 'reviews', put: { classification_id: 'found', status: 'archived' } },
    { table: 'review_entries', put: entry },
  ]);
  expect(one.reviewed).toEqual(['found']);
  expect(one.reloads).toBe(0);
  const hook = {
    ...{ webhook_id: 'w', account_id: 'one', url: 'https://h.example', label: null },
    ...{ event_types: '[]', secret: 's', previous_secret: null, previous_until_ms: null },
    ...{ created_at_ms: 1, disabled_at_ms: null, disabled_reason: null },
  };
  one.take(2, [{ table: 'webhooks', put: hook }]);
  expect(one.reloads).toBe(1);
  // Nothing differs.
  one.take(3, [{ table: 'webhooks', put: hook }]);
  expect(one.reloads).toBe(1);
});
