import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import {
  type Condition,
  HIT_FIELD,
  type HitCondition,
  type StoredTrigger,
  TARGET_KINDS,
  type TriggerConditions,
  type TriggerName,
  type TriggerRequest,
} from '../../model/trigger.ts';
import { address, column, integer, json, oneOf, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll, prepareReader } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { type RowOf, singleValue, tableRow } from '../sqlite/table-row.ts';
import { TriggerTruths } from './trigger-truths.ts';

export interface TriggerLimits {
  /** Triggers an account may hold. */
  readonly triggersMax: number;
}

export const DEFAULT_TRIGGER_LIMITS: TriggerLimits = { triggersMax: 10_000 };

/** The outcome of a change; `same`: nothing changed. */
export type TriggerChange =
  | { readonly kind: 'changed' | 'same'; readonly trigger: StoredTrigger }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'full' };

export const TRIGGERS = tableRow('triggers', {
  key: column('trigger_key', integer),
  accountId: text,
  triggerId: text,
  targetAddress: address,
  conditions: json<readonly (Condition | HitCondition)[]>(),
  revision: integer,
  createdAtMs: integer,
  updatedAtMs: integer,
  targetKind: oneOf(TARGET_KINDS),
});

type Row = RowOf<typeof TRIGGERS>;

const ALL = TRIGGERS.select('ORDER BY trigger_key');

const STATEMENTS = {
  byName: TRIGGERS.select('WHERE account_id = ? AND trigger_id = ?'),
  byKey: TRIGGERS.select('WHERE trigger_key = ?'),
  count: singleValue(integer, 'SELECT count(*) FROM triggers WHERE account_id = ?'),
  page: TRIGGERS.select('WHERE account_id = ? ORDER BY trigger_key LIMIT ? OFFSET ?'),
  add: TRIGGERS.without('key').insert(),
  replace: TRIGGERS.returning(
    'UPDATE triggers SET conditions = ?, revision = revision + 1, updated_at_ms = ? ' +
      'WHERE trigger_key = ?',
  ),
  remove: 'DELETE FROM triggers WHERE trigger_key = ?',
};

/** The active triggers of all accounts. */
export class StoredTriggers {
  readonly limits: TriggerLimits;
  /** Which triggers were true; removed together with the trigger. */
  readonly truths: TriggerTruths;
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    limits: TriggerLimits = DEFAULT_TRIGGER_LIMITS,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.limits = limits;
    this.truths = new TriggerTruths(database);
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Triggers of all accounts, oldest first. */
  *all(): Iterable<StoredTrigger> {
    for (const row of prepareReader(this.database, ALL).iterate()) yield toTrigger(row);
  }

  /** A page of an account's triggers, oldest first. */
  list(accountId: string, limit: number, offset: number): readonly StoredTrigger[] {
    return this.statements.page.all(accountId, limit, offset).map(toTrigger);
  }

  /** The number of triggers of an account. */
  countOf(accountId: string): number {
    return Number(this.statements.count.get(accountId));
  }

  /** Idempotent: the same request again changes nothing. */
  add({ accountId, triggerId, target, ...given }: TriggerRequest): TriggerChange {
    return inTransaction(this.database, () => {
      const known = this.find({ accountId, triggerId });
      if (known !== null) {
        const isSame = isDeepStrictEqual(known.target, target) && areSame(known, given);
        return isSame ? { kind: 'same', trigger: known } : { kind: 'taken' };
      }
      if (this.countOf(accountId) >= this.limits.triggersMax) return { kind: 'full' };
      const nowMs = this.nowMs();
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const added = { accountId, triggerId, target, ...given, revision: 1, ...times };
      const { lastInsertRowid } = this.statements.add.run(toRow(added));
      return { kind: 'changed', trigger: { key: Number(lastInsertRowid), ...added } };
    });
  }

  /** Replaces the conditions. Idempotent. */
  update(name: TriggerName, given: TriggerConditions): TriggerChange {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known === null) return { kind: 'unknown' };
      if (areSame(known, given)) return { kind: 'same', trigger: known };
      const text = JSON.stringify([...given.conditions, ...(given.hits ?? [])]);
      const replaced = this.statements.replace.get(text, this.nowMs(), known.key);
      if (replaced === null) return { kind: 'unknown' };
      return { kind: 'changed', trigger: toTrigger(replaced) };
    });
  }

  remove(name: TriggerName): TriggerChange {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known === null) return { kind: 'unknown' };
      this.statements.remove.run(known.key);
      return { kind: 'changed', trigger: { ...known, updatedAtMs: this.nowMs() } };
    });
  }

  ofKey(key: number): StoredTrigger | null {
    const row = this.statements.byKey.get(key);
    return row === null ? null : toTrigger(row);
  }

  private find({ accountId, triggerId }: TriggerName): StoredTrigger | null {
    const row = this.statements.byName.get(accountId, triggerId);
    return row === null ? null : toTrigger(row);
  }
}

function areSame(known: TriggerConditions, given: TriggerConditions): boolean {
  const { conditions, hits = [] } = given;
  return isDeepStrictEqual([known.conditions, known.hits ?? []], [conditions, hits]);
}

function toTrigger({
  targetKind: kind,
  targetAddress: address,
  conditions: all,
  ...rest
}: Row): StoredTrigger {
  const isOnHit = (one: Condition | HitCondition): one is HitCondition => one.field === HIT_FIELD;
  const conditions = all.filter((one): one is Condition => !isOnHit(one));
  const hits = all.filter(isOnHit);
  return { ...rest, conditions, ...(hits.length > 0 ? { hits } : {}), target: { kind, address } };
}

function toRow({
  target,
  conditions,
  hits = [],
  ...rest
}: Omit<StoredTrigger, 'key'>): Omit<Row, 'key'> {
  const all = [...conditions, ...hits];
  return { ...rest, conditions: all, targetKind: target.kind, targetAddress: target.address };
}
