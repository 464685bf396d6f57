import type { DatabaseSync } from 'node:sqlite';
import type { Slot } from '../../model/units.ts';
import { column, integer, nullable, oneOf, slot, text } from '../sqlite/kind.ts';
import type { NamedValues } from '../sqlite/named-values.ts';
import { type Prepared, prepareAll } from '../sqlite/prepare-all.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { singleValue, tableRow } from '../sqlite/table-row.ts';
import { metaTexts } from './meta-texts.ts';

/** A finding, signal or hit of a rule of a slot that may become an event once the slot is final. */
export interface WebhookCandidate {
  readonly slot: Slot;
  readonly kind: 'finding' | 'signal' | 'hit';
  /** Unique for its kind in the slot. */
  readonly name: string;
  readonly content: string;
}

export const WEBHOOK_CANDIDATES = tableRow('webhook_candidates', {
  key: column('candidate_key', integer),
  slot,
  kind: oneOf(['finding', 'signal', 'hit']),
  name: text,
  content: text,
});

export const WEBHOOK_FINDINGS = tableRow('webhook_findings', {
  classificationId: text,
  level: column('told_level', integer),
  slot,
});

const STATEMENTS = {
  add: WEBHOOK_CANDIDATES.without('key').upsert('slot', 'kind', 'name'),
  forget: 'DELETE FROM webhook_candidates WHERE slot = ?',
  forgetAfter: 'DELETE FROM webhook_candidates WHERE slot > ?',
  remove: 'DELETE FROM webhook_candidates WHERE candidate_key = ?',
  oldest: WEBHOOK_CANDIDATES.select('WHERE slot <= ? ORDER BY slot, candidate_key LIMIT ?'),
  oldestSlot: singleValue(nullable(slot), 'SELECT min(slot) FROM webhook_candidates'),
  level: WEBHOOK_FINDINGS.only('level').select('WHERE classification_id = ?'),
  putLevel: WEBHOOK_FINDINGS.upsert('classificationId'),
  dropLevel: 'DELETE FROM webhook_findings WHERE classification_id = ?',
  pruneLevels:
    'DELETE FROM webhook_findings WHERE slot <= (SELECT slot FROM webhook_findings ' +
    'ORDER BY slot DESC LIMIT 1 OFFSET ?)',
};

const RELEASED = 'webhooks_released_slot';
/** Findings whose published level is kept, the most recently changed. */
const FINDINGS_MAX = 50_000;

/**
 * Findings, signals and hits of rules of slots that are folded but not yet final. They are kept on disk, so a kill
 * between the write of a slot and its events loses none. Slots up to the last released one are
 * never accepted again.
 */
export class WebhookCandidates {
  private readonly database: DatabaseSync;
  private readonly statements: Prepared<typeof STATEMENTS>;
  private readonly meta: NamedValues<string>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.statements = prepareAll(database, STATEMENTS);
    this.meta = metaTexts(database);
  }

  /** Candidates of released slots are ignored. */
  add(candidates: readonly WebhookCandidate[]): void {
    inTransaction(this.database, () => {
      const released = this.releasedSlot;
      for (const candidate of candidates) {
        if (candidate.slot > released) this.statements.add.run(candidate);
      }
    });
  }

  /** Call it when the slot is reverted. */
  forget(slot: Slot): void {
    this.statements.forget.run(slot);
  }

  forgetAfter(slot: number): void {
    this.statements.forgetAfter.run(slot);
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
      const rows = this.statements.oldest.all(finalSlot, limit);
      const last = rows.at(-1);
      if (last === undefined) return 0;
      take(rows.map(({ key, ...candidate }) => candidate));
      for (const { key } of rows) this.statements.remove.run(key);
      this.statements.pruneLevels.run(FINDINGS_MAX);
      // At the limit, the last slot may have more candidates.
      const released = rows.length < limit ? last.slot : last.slot - 1;
      this.meta.write(RELEASED, String(Math.max(released, this.releasedSlot)));
      return rows.length;
    });
  }

  /** Slot of the oldest candidate; null when there is none. */
  get oldestSlot(): number | null {
    return this.statements.oldestSlot.get();
  }

  /** The highest level published for a finding and not withdrawn since; 0 for none. */
  publishedLevel(classificationId: string): number {
    return this.statements.level.get(classificationId)?.level ?? 0;
  }

  setPublishedLevel(classificationId: string, level: number, slot: Slot): void {
    if (level === 0) this.statements.dropLevel.run(classificationId);
    else this.statements.putLevel.run({ classificationId, level, slot });
  }

  private get releasedSlot(): number {
    return Number(this.meta.read(RELEASED) ?? -1);
  }
}
