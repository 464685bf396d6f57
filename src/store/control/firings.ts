import type { DatabaseSync } from 'node:sqlite';
import type { PoolFigures } from '../../model/pool-figures.ts';
import type {
  Firing,
  Retraction,
  TriggerEvent,
  TriggerEvents,
  TriggerEventsQuery,
} from '../../model/trigger.ts';
import { bigintJson, column, integer, json, nullable, slot, text } from '../sqlite/kind.ts';
import { NamedCounts } from '../sqlite/named-counts.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { rowsOf, tableRow } from '../sqlite/table-row.ts';

/** A firing before it has its number. */
export type FiringDraft = Omit<Firing, 'number' | 'firedAtMs' | 'retractedAtMs'>;

/** Identifies a firing that may have to be retracted. */
export type StandingFiring = Omit<
  Firing,
  'firedAtMs' | 'retractedAtMs' | 'figures' | 'comparisons'
>;

/** Newest event numbers kept for each account. */
export const EVENTS_KEPT_MAX = 10_000;

/** The number of the last event of each account. */
export const TRIGGER_NUMBERS = tableRow('trigger_numbers', {
  name: column('account_id', text),
  count: column('last_number', integer),
});

export const TRIGGER_FIRINGS = tableRow('trigger_firings', {
  accountId: text,
  number: integer,
  triggerKey: integer,
  revision: integer,
  triggerId: text,
  slot,
  firedAtMs: integer,
  figures: bigintJson<PoolFigures>(),
  retractionNumber: nullable(integer),
  retractedAtMs: nullable(integer),
  comparisons: nullable(json<NonNullable<Firing['comparisons']>>()),
});

const FIRING = TRIGGER_FIRINGS.without('retractionNumber');

const STATEMENTS = {
  add: FIRING.insert(),
  retract: TRIGGER_FIRINGS.only('retractionNumber', 'retractedAtMs').update(
    'WHERE account_id = ? AND number = ?',
  ),
  prune:
    'DELETE FROM trigger_firings WHERE account_id = ?1 AND number <= ?2 ' +
    'AND coalesce(retraction_number, 0) <= ?2',
  standing: FIRING.without('firedAtMs', 'figures', 'retractedAtMs', 'comparisons').select(
    'WHERE retraction_number IS NULL ORDER BY account_id, number',
  ),
  events: rowsOf(
    { event: integer, firing: FIRING.kind },
    `SELECT * FROM (SELECT number AS event, ${FIRING.columns} FROM trigger_firings ` +
      'WHERE account_id = ?1 AND number > ?2 UNION ALL ' +
      `SELECT retraction_number AS event, ${FIRING.columns} FROM trigger_firings ` +
      'WHERE account_id = ?1 AND retraction_number > ?2) ORDER BY event LIMIT ?3',
  ),
};

/**
 * The log of trigger events by account. Each firing and each retraction takes the next number of
 * its account, so a client that sends the last number it saw receives the rest. Events are written
 * before they are published, so a client can fetch an unpublished one by its number.
 */
export class FiringLog {
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly keptMax: number;
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly numbers: NamedCounts;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    keptMax: number = EVENTS_KEPT_MAX,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.keptMax = keptMax;
    this.statements = prepareAll(database, STATEMENTS);
    this.numbers = new NamedCounts(database, TRIGGER_NUMBERS);
  }

  /** Numbers and stores firings, all or none. */
  add(drafts: readonly FiringDraft[]): Firing[] {
    return inTransaction(this.database, () => {
      const firedAtMs = this.nowMs();
      const firings = drafts.map((draft) => {
        const number = this.numbers.next(draft.accountId);
        return { ...draft, number, firedAtMs, retractedAtMs: null };
      });
      for (const firing of firings) this.statements.add.run(firing);
      this.pruneOf(firings);
      return firings;
    });
  }

  /** Marks firings as retracted, and gives each retraction a number. */
  retract(firings: readonly StandingFiring[]): Retraction[] {
    return inTransaction(this.database, () => {
      const retractedAtMs = this.nowMs();
      const retractions = firings.map(({ accountId, number: firedNumber, triggerId, slot }) => {
        const number = this.numbers.next(accountId);
        const retraction = { retractionNumber: number, retractedAtMs };
        this.statements.retract.run(retraction, accountId, firedNumber);
        return { accountId, number, triggerId, slot, firedNumber, retractedAtMs };
      });
      this.pruneOf(retractions);
      return retractions;
    });
  }

  /** All stored firings that were not retracted, for each account in the order of their numbers. */
  standing(): Iterable<StandingFiring> {
    return this.statements.standing.iterate();
  }

  /** Events of an account after a number, oldest first. */
  events({ accountId, since, limit }: TriggerEventsQuery): TriggerEvents {
    const lastNumber = this.numbers.last(accountId) ?? 0;
    const lostTo = Math.max(0, lastNumber - this.keptMax);
    const from = Math.max(since, lostTo);
    return {
      events: this.statements.events.all(accountId, from, limit).map(toEvent),
      lost: since < lostTo ? { from: since + 1, to: lostTo } : null,
      lastNumber,
    };
  }

  private pruneOf(added: readonly { readonly accountId: string; readonly number: number }[]): void {
    const newest = new Map(added.map(({ accountId, number }) => [accountId, number]));
    for (const [accountId, number] of newest) {
      this.statements.prune.run(accountId, number - this.keptMax);
    }
  }
}

function toEvent({ event, firing }: { event: number; firing: Firing }): TriggerEvent {
  if (event === firing.number) return { kind: 'fired', firing };
  const { accountId, triggerId, slot, number: firedNumber, retractedAtMs } = firing;
  return {
    kind: 'retracted',
    retraction: {
      accountId,
      triggerId,
      slot,
      firedNumber,
      number: event,
      retractedAtMs: retractedAtMs ?? 0,
    },
  };
}
