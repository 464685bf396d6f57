import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Slot } from '../../model/units.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';

/** A finding or signal of a slot that may become an event once the slot is final. */
export interface WebhookCandidate {
  readonly slot: Slot;
  readonly kind: 'finding' | 'signal';
  /** Unique for its kind in the slot. */
  readonly name: string;
  readonly content: string;
}

const RELEASED = 'webhooks_released_slot';
/** Findings whose published level is kept, the most recently changed. */
const FINDINGS_MAX = 50_000;

/**
 * Findings and signals of slots that are folded but not yet final. They are kept on disk, so a kill
 * between the write of a slot and its events loses none. Slots up to the last released one are
 * never accepted again.
 */
export class WebhookCandidates {
  private readonly database: DatabaseSync;
  private readonly insert: StatementSync;
  private readonly deletion: StatementSync;
  private readonly deletionAfter: StatementSync;
  private readonly deletionTo: StatementSync;
  private readonly select: StatementSync;
  private readonly oldest: StatementSync;
  private readonly readReleased: StatementSync;
  private readonly writeReleased: StatementSync;
  private readonly level: StatementSync;
  private readonly putLevel: StatementSync;
  private readonly dropLevel: StatementSync;
  private readonly pruneLevels: StatementSync;

  constructor(database: DatabaseSync) {
    this.database = database;
    const prepare = (sql: string) => database.prepare(sql);
    this.insert = prepare(
      'INSERT INTO webhook_candidates (slot, kind, name, content) VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT (slot, kind, name) DO UPDATE SET content = excluded.content',
    );
    this.deletion = prepare('DELETE FROM webhook_candidates WHERE slot = ?');
    this.deletionAfter = prepare('DELETE FROM webhook_candidates WHERE slot > ?');
    this.deletionTo = prepare('DELETE FROM webhook_candidates WHERE candidate_key = ?');
    this.select = prepare(
      'SELECT * FROM webhook_candidates WHERE slot <= ? ORDER BY slot, candidate_key LIMIT ?',
    );
    this.oldest = prepare('SELECT min(slot) AS slot FROM webhook_candidates');
    this.readReleased = prepare('SELECT value FROM meta WHERE name = ?');
    this.writeReleased = prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
    this.level = prepare('SELECT told_level FROM webhook_findings WHERE classification_id = ?');
    this.putLevel = prepare(
      'INSERT INTO webhook_findings VALUES (?, ?, ?) ON CONFLICT (classification_id) ' +
        'DO UPDATE SET told_level = excluded.told_level, slot = excluded.slot',
    );
    this.dropLevel = prepare('DELETE FROM webhook_findings WHERE classification_id = ?');
    this.pruneLevels = prepare(
      'DELETE FROM webhook_findings WHERE slot <= (SELECT slot FROM webhook_findings ' +
        'ORDER BY slot DESC LIMIT 1 OFFSET ?)',
    );
  }

  /** Candidates of released slots are ignored. */
  add(candidates: readonly WebhookCandidate[]): void {
    inTransaction(this.database, () => {
      const released = this.releasedSlot;
      for (const { slot, kind, name, content } of candidates) {
        if (slot > released) this.insert.run(slot, kind, name, content);
      }
    });
  }

  /** Call it when the slot is reverted. */
  forget(slot: Slot): void {
    this.deletion.run(slot);
  }

  forgetAfter(slot: number): void {
    this.deletionAfter.run(slot);
  }

  /**
   * Passes the oldest candidates of final slots, at most `limit`, to `take` and removes them in the
   * same transaction as the writes of `take`. Returns how many there were.
   */
  release(
    finalSlot: number,
    limit: number,
    take: (candidates: readonly WebhookCandidate[]) => void,
  ): number {
    return inTransaction(this.database, () => {
      const rows = this.select.all(finalSlot, limit);
      const last = rows.at(-1);
      if (last === undefined) return 0;
      take(rows.map(toCandidate));
      for (const row of rows) this.deletionTo.run(Number(row.candidate_key));
      this.pruneLevels.run(FINDINGS_MAX);
      // At the limit, the last slot may have more candidates.
      const released = rows.length < limit ? Number(last.slot) : Number(last.slot) - 1;
      this.writeReleased.run(RELEASED, String(Math.max(released, this.releasedSlot)));
      return rows.length;
    });
  }

  /** Slot of the oldest candidate; null when there is none. */
  get oldestSlot(): number | null {
    const row = this.oldest.get();
    return row === undefined || row.slot === null ? null : Number(row.slot);
  }

  /** The highest level published for a finding and not withdrawn since; 0 for none. */
  publishedLevel(classificationId: string): number {
    return Number(this.level.get(classificationId)?.told_level ?? 0);
  }

  setPublishedLevel(classificationId: string, level: number, slot: Slot): void {
    if (level === 0) this.dropLevel.run(classificationId);
    else this.putLevel.run(classificationId, level, slot);
  }

  private get releasedSlot(): number {
    return Number(this.readReleased.get(RELEASED)?.value ?? -1);
  }
}

function toCandidate(row: Record<string, unknown>): WebhookCandidate {
  return {
    slot: Number(row.slot) as Slot,
    kind: row.kind === 'signal' ? 'signal' : 'finding',
    name: String(row.name),
    content: String(row.content),
  };
}
