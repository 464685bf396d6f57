import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Condition, StoredTrigger, TriggerName, TriggerRequest } from '../../model/trigger.ts';
import type { Address } from '../../model/units.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
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

interface TriggerRow {
  readonly trigger_key: number;
  readonly account_id: string;
  readonly trigger_id: string;
  readonly pool: string;
  readonly conditions: string;
  readonly revision: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** The active triggers of all accounts. */
export class StoredTriggers {
  readonly limits: TriggerLimits;
  /** Which triggers were true; removed together with the trigger. */
  readonly truths: TriggerTruths;
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly byName: StatementSync;
  private readonly byKey: StatementSync;
  private readonly count: StatementSync;
  private readonly page: StatementSync;
  private readonly insert: StatementSync;
  private readonly replace: StatementSync;
  private readonly deletion: StatementSync;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    limits: TriggerLimits = DEFAULT_TRIGGER_LIMITS,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.limits = limits;
    this.truths = new TriggerTruths(database);
    this.byName = database.prepare(
      'SELECT * FROM triggers WHERE account_id = ? AND trigger_id = ?',
    );
    this.byKey = database.prepare('SELECT * FROM triggers WHERE trigger_key = ?');
    this.count = database.prepare('SELECT count(*) AS held FROM triggers WHERE account_id = ?');
    this.page = database.prepare(
      'SELECT * FROM triggers WHERE account_id = ? ORDER BY trigger_key LIMIT ? OFFSET ?',
    );
    this.insert = database.prepare(
      'INSERT INTO triggers (account_id, trigger_id, pool, conditions, revision, created_at_ms, ' +
        'updated_at_ms) VALUES (?, ?, ?, ?, 1, ?, ?) RETURNING *',
    );
    this.replace = database.prepare(
      'UPDATE triggers SET conditions = ?, revision = revision + 1, updated_at_ms = ? ' +
        'WHERE trigger_key = ? RETURNING *',
    );
    this.deletion = database.prepare('DELETE FROM triggers WHERE trigger_key = ?');
  }

  /** Triggers of all accounts, oldest first. */
  *all(): Iterable<StoredTrigger> {
    const rows = this.database.prepare('SELECT * FROM triggers ORDER BY trigger_key').iterate();
    for (const row of rows) yield toTrigger(row as unknown as TriggerRow);
  }

  /** A page of an account's triggers, oldest first. */
  list(accountId: string, limit: number, offset: number): readonly StoredTrigger[] {
    const rows = this.page.all(accountId, limit, offset) as unknown as TriggerRow[];
    return rows.map(toTrigger);
  }

  /** The number of triggers of an account. */
  countOf(accountId: string): number {
    return Number(this.count.get(accountId)?.held);
  }

  /** Idempotent: the same request again changes nothing. */
  add({ accountId, triggerId, pool, conditions }: TriggerRequest): TriggerChange {
    return inTransaction(this.database, () => {
      const known = this.find({ accountId, triggerId });
      if (known !== null) {
        const isSame = known.pool === pool && isDeepStrictEqual(known.conditions, conditions);
        return isSame ? { kind: 'same', trigger: known } : { kind: 'taken' };
      }
      if (this.countOf(accountId) >= this.limits.triggersMax) return { kind: 'full' };
      const nowMs = this.nowMs();
      const text = JSON.stringify(conditions);
      const row = this.insert.get(accountId, triggerId, pool, text, nowMs, nowMs);
      return { kind: 'changed', trigger: toTrigger(row as unknown as TriggerRow) };
    });
  }

  /** Replaces the conditions. Idempotent. */
  update(name: TriggerName, conditions: readonly Condition[]): TriggerChange {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known === null) return { kind: 'unknown' };
      if (isDeepStrictEqual(known.conditions, conditions)) return { kind: 'same', trigger: known };
      const row = this.replace.get(JSON.stringify(conditions), this.nowMs(), known.key);
      return { kind: 'changed', trigger: toTrigger(row as unknown as TriggerRow) };
    });
  }

  remove(name: TriggerName): TriggerChange {
    return inTransaction(this.database, () => {
      const known = this.find(name);
      if (known === null) return { kind: 'unknown' };
      this.deletion.run(known.key);
      return { kind: 'changed', trigger: { ...known, updatedAtMs: this.nowMs() } };
    });
  }

  ofKey(key: number): StoredTrigger | null {
    const row = this.byKey.get(key);
    return row === undefined ? null : toTrigger(row as unknown as TriggerRow);
  }

  private find({ accountId, triggerId }: TriggerName): StoredTrigger | null {
    const row = this.byName.get(accountId, triggerId);
    return row === undefined ? null : toTrigger(row as unknown as TriggerRow);
  }
}

function toTrigger(row: TriggerRow): StoredTrigger {
  return {
    key: row.trigger_key,
    accountId: row.account_id,
    triggerId: row.trigger_id,
    pool: row.pool as Address,
    conditions: JSON.parse(row.conditions) as readonly Condition[],
    revision: row.revision,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
