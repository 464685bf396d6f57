import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import type { PoolFigures } from '../../model/pool-figures.ts';
import type {
  Firing,
  Retraction,
  TriggerEvent,
  TriggerEvents,
  TriggerEventsQuery,
} from '../../model/trigger.ts';
import type { Slot } from '../../model/units.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';

/** A firing before it has its number. */
export type FiringDraft = Omit<Firing, 'number' | 'firedAtMs' | 'retractedAtMs'>;

/** Identifies a firing that may have to be retracted. */
export type StandingFiring = Omit<Firing, 'firedAtMs' | 'retractedAtMs' | 'figures'>;

/** Newest event numbers kept for each account. */
export const EVENTS_KEPT_MAX = 10_000;

interface FiringRow {
  readonly account_id: string;
  readonly number: number;
  readonly trigger_key: number;
  readonly revision: number;
  readonly trigger_id: string;
  readonly slot: number;
  readonly fired_at_ms: number;
  readonly figures: string;
  readonly retraction_number: number | null;
  readonly retracted_at_ms: number | null;
}

/**
 * The log of trigger events by account. Each firing and each retraction takes the next number of
 * its account, so a client that sends the last number it saw receives the rest. Events are written
 * before they are published, so a client can fetch an unpublished one by its number.
 */
export class FiringLog {
  private readonly database: DatabaseSync;
  private readonly nowMs: () => number;
  private readonly keptMax: number;
  private readonly nextNumber: StatementSync;
  private readonly lastNumber: StatementSync;
  private readonly insert: StatementSync;
  private readonly mark: StatementSync;
  private readonly prune: StatementSync;
  private readonly allStanding: StatementSync;
  private readonly select: StatementSync;

  constructor(
    database: DatabaseSync,
    nowMs: () => number = Date.now,
    keptMax: number = EVENTS_KEPT_MAX,
  ) {
    this.database = database;
    this.nowMs = nowMs;
    this.keptMax = keptMax;
    this.nextNumber = database.prepare(
      'INSERT INTO trigger_numbers VALUES (?, 1) ON CONFLICT (account_id) ' +
        'DO UPDATE SET last_number = last_number + 1 RETURNING last_number',
    );
    this.lastNumber = database.prepare(
      'SELECT last_number FROM trigger_numbers WHERE account_id = ?',
    );
    this.insert = database.prepare(
      'INSERT INTO trigger_firings VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)',
    );
    this.mark = database.prepare(
      'UPDATE trigger_firings SET retraction_number = ?, retracted_at_ms = ? ' +
        'WHERE account_id = ? AND number = ?',
    );
    this.prune = database.prepare(
      'DELETE FROM trigger_firings WHERE account_id = ?1 AND number <= ?2 ' +
        'AND coalesce(retraction_number, 0) <= ?2',
    );
    this.allStanding = database.prepare(
      'SELECT account_id, number, trigger_key, revision, trigger_id, slot FROM trigger_firings ' +
        'WHERE retraction_number IS NULL ORDER BY account_id, number',
    );
    this.select = database.prepare(
      'SELECT * FROM (SELECT number AS event, * FROM trigger_firings ' +
        'WHERE account_id = ?1 AND number > ?2 UNION ALL ' +
        'SELECT retraction_number AS event, * FROM trigger_firings ' +
        'WHERE account_id = ?1 AND retraction_number > ?2) ORDER BY event LIMIT ?3',
    );
  }

  /** Numbers and stores firings, all or none. */
  add(drafts: readonly FiringDraft[]): Firing[] {
    return inTransaction(this.database, () => {
      const firedAtMs = this.nowMs();
      const firings = drafts.map((draft) => {
        const number = this.takeNumber(draft.accountId);
        return { ...draft, number, firedAtMs, retractedAtMs: null };
      });
      for (const firing of firings) this.write(firing);
      this.pruneOf(firings);
      return firings;
    });
  }

  /** Marks firings as retracted, and gives each retraction a number. */
  retract(firings: readonly StandingFiring[]): Retraction[] {
    return inTransaction(this.database, () => {
      const retractedAtMs = this.nowMs();
      const retractions = firings.map(({ accountId, number: firedNumber, triggerId, slot }) => {
        const number = this.takeNumber(accountId);
        this.mark.run(number, retractedAtMs, accountId, firedNumber);
        return { accountId, number, triggerId, slot, firedNumber, retractedAtMs };
      });
      this.pruneOf(retractions);
      return retractions;
    });
  }

  /** All stored firings that were not retracted, for each account in the order of their numbers. */
  *standing(): Iterable<StandingFiring> {
    for (const row of this.allStanding.iterate()) {
      const { account_id, number, trigger_key, revision, trigger_id, slot } =
        row as unknown as FiringRow;
      yield {
        accountId: account_id,
        number,
        triggerKey: trigger_key,
        revision,
        triggerId: trigger_id,
        slot: slot as Slot,
      };
    }
  }

  /** Events of an account after a number, oldest first. */
  events({ accountId, since, limit }: TriggerEventsQuery): TriggerEvents {
    const lastNumber = Number(this.lastNumber.get(accountId)?.last_number ?? 0);
    const lostTo = Math.max(0, lastNumber - this.keptMax);
    const from = Math.max(since, lostTo);
    const rows = this.select.all(accountId, from, limit) as unknown as EventRow[];
    return {
      events: rows.map(toEvent),
      lost: since < lostTo ? { from: since + 1, to: lostTo } : null,
      lastNumber,
    };
  }

  private takeNumber(accountId: string): number {
    return Number(this.nextNumber.get(accountId)?.last_number);
  }

  private write(firing: Firing): void {
    const { accountId, number, triggerKey, revision, triggerId, slot, firedAtMs } = firing;
    const figures = toBigintJson(firing.figures);
    this.insert.run(
      ...[accountId, number, triggerKey, revision, triggerId, slot, firedAtMs, figures],
    );
  }

  private pruneOf(added: readonly { readonly accountId: string; readonly number: number }[]): void {
    const newest = new Map(added.map(({ accountId, number }) => [accountId, number]));
    for (const [accountId, number] of newest) this.prune.run(accountId, number - this.keptMax);
  }
}

interface EventRow extends FiringRow {
  readonly event: number;
}

function toEvent(row: EventRow): TriggerEvent {
  const firing = toFiring(row);
  if (row.event === row.number) return { kind: 'fired', firing };
  const { accountId, triggerId, slot, number: firedNumber, retractedAtMs } = firing;
  return {
    kind: 'retracted',
    retraction: {
      ...{ accountId, triggerId, slot, firedNumber },
      number: row.event,
      retractedAtMs: retractedAtMs ?? 0,
    },
  };
}

function toFiring(row: FiringRow): Firing {
  return {
    accountId: row.account_id,
    number: row.number,
    triggerKey: row.trigger_key,
    revision: row.revision,
    triggerId: row.trigger_id,
    slot: row.slot as Slot,
    firedAtMs: row.fired_at_ms,
    figures: parseBigintJson(row.figures) as PoolFigures,
    retractedAtMs: row.retracted_at_ms,
  };
}
