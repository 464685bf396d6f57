import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../sqlite/kind.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { type RowOf, singleValue, tableRow } from '../sqlite/table-row.ts';

export interface RuleLimits {
  /** Rules of one account. */
  readonly perAccountMax: number;
  /** Rules of all accounts; the rest is for those of the operator. */
  readonly rulesMax: number;
  /** Characters of all rules. */
  readonly contentMax: number;
}

export const DEFAULT_RULE_LIMITS: RuleLimits = {
  perAccountMax: 100,
  rulesMax: 900,
  contentMax: 8_000_000,
};

export const RULES = tableRow('rules', {
  accountId: text,
  name: text,
  version: integer,
  content: text,
  createdAtMs: integer,
  updatedAtMs: integer,
});

export type StoredRule = RowOf<typeof RULES>;

/** A rule to store; its content is canonical and compiles. */
export type RuleDraft = Pick<StoredRule, 'accountId' | 'name' | 'version' | 'content'>;

export type RuleChangeOutcome =
  | { readonly kind: 'changed' | 'same'; readonly rule: StoredRule }
  | { readonly kind: 'old'; readonly version: number }
  | { readonly kind: 'full'; readonly rulesMax: number };

const STATEMENTS = {
  all: RULES.select('ORDER BY account_id, name'),
  ofAccount: RULES.select('WHERE account_id = ? ORDER BY name'),
  find: RULES.select('WHERE account_id = ? AND name = ?'),
  countOf: singleValue(integer, 'SELECT count(*) FROM rules WHERE account_id = ?'),
  count: singleValue(integer, 'SELECT count(*) FROM rules'),
  size: singleValue(integer, 'SELECT coalesce(sum(length(content)), 0) FROM rules'),
  put: RULES.upsert('accountId', 'name'),
  remove: 'DELETE FROM rules WHERE account_id = ? AND name = ?',
};

/** The published rules of accounts. */
export class StoredRules {
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly limits: RuleLimits;
  private readonly statements: Prepared<typeof STATEMENTS>;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    limits: RuleLimits = DEFAULT_RULE_LIMITS,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.limits = limits;
    this.statements = prepareAll(database, STATEMENTS);
  }

  /** Rules of all accounts. */
  all(): readonly StoredRule[] {
    return this.statements.all.all();
  }

  /** Rules of an account, by name. */
  list(accountId: string): readonly StoredRule[] {
    return this.statements.ofAccount.all(accountId);
  }

  /** Adds a rule, or replaces that of the name by a higher version. Idempotent. */
  publish(draft: RuleDraft): RuleChangeOutcome {
    return inTransaction(this.database, () => {
      const { accountId, name, version, content } = draft;
      const known = this.statements.find.get(accountId, name);
      if (known?.content === content) return { kind: 'same', rule: known };
      if (known !== null && version <= known.version) {
        return { kind: 'old', version: known.version };
      }
      if (known === null && this.isFull(accountId)) {
        return { kind: 'full', rulesMax: this.limits.perAccountMax };
      }
      const { contentMax } = this.limits;
      if (Number(this.statements.size.get()) + content.length > contentMax) {
        return { kind: 'full', rulesMax: this.limits.perAccountMax };
      }
      const nowMs = this.nowMs();
      const rule = { ...draft, createdAtMs: known?.createdAtMs ?? nowMs, updatedAtMs: nowMs };
      this.statements.put.run(rule);
      return { kind: 'changed', rule };
    });
  }

  /** Whether there was one. */
  withdraw(accountId: string, name: string): boolean {
    return this.statements.remove.run(accountId, name).changes > 0;
  }

  private isFull(accountId: string): boolean {
    const { perAccountMax, rulesMax } = this.limits;
    if (Number(this.statements.countOf.get(accountId)) >= perAccountMax) return true;
    return Number(this.statements.count.get()) >= rulesMax;
  }
}
