import { StoreError } from '../../model/errors.ts';
import type { Lane } from '../sql/lane.ts';
import { type CheckedStore, checkInBackground } from './background-check.ts';
import { type CheckBudget, type CheckedParts, checkParts } from './check-parts.ts';
import { compareLog, isLogEmpty } from './compare-log.ts';
import { compareParts, isAsked, LOG_TABLE, type Mutation } from './compare-parts.ts';
import type { Finding, FindingKind } from './finding.ts';
import { repair } from './repair.ts';
import { readParts, type StoredPart } from './stored-part.ts';
import type { VerifiedStore } from './verified-store.ts';

/** Callbacks of the background check. */
export interface BackgroundWatch {
  readonly signal: AbortSignal;
  readonly onDamage: (finding: Finding) => void;
  /** The check ended before the signal: no part is read until the next start. */
  readonly onStopped: (error: unknown) => void;
}

/** The result of one verification. */
export interface Verified {
  readonly findings: readonly Finding[];
  /** False when an earlier version wrote the folder: then it has no record of its parts. */
  readonly isRecorded: boolean;
  /** How many parts and bytes were read and compared with their checksums. */
  readonly read: Omit<CheckedParts, 'findings'>;
}

/**
 * Checks that the store still contains everything that was written: ledger and cursor by their
 * sums, parts by the record written with the cursor, the log by the ledger, and the content of
 * parts by the engine's checksums (docs/decisions/0035-lost-is-found.md).
 */
export class Verification {
  /** Number of findings since the start, by kind. */
  readonly counts: Partial<Record<FindingKind, number>> = {};
  private readonly store: VerifiedStore;
  private readonly damage: Finding[] = [];
  private background: Promise<void> | null = null;

  constructor(store: VerifiedStore) {
    this.store = store;
  }

  /**
   * Compares everything, and reads parts as far as the rest of the budget allows, first those that
   * were found damaged, then those read longest ago. Changes only the times of these reads.
   */
  async verify(budget: CheckBudget): Promise<Verified> {
    const { heavy, record } = this.store;
    const startedMs = budget.nowMs();
    const isRecorded = record.isKept;
    const altered = await this.alterations();
    const present = record.isKeepable ? await readParts(heavy) : [];
    const gone = record.isKept ? await this.compareRecord(present) : [];
    const log = await this.compareLog(present);
    const { budgetMs } = budget;
    const leftMs = budgetMs === null ? null : budgetMs - (budget.nowMs() - startedMs);
    const read = await this.readParts(present, { ...budget, budgetMs: leftMs });
    const findings = distinct([...altered, ...gone, ...log, ...read.findings]);
    this.count(findings);
    return { findings, isRecorded, read };
  }

  /** Damage found while the service runs; the next start repairs it. */
  get damaged(): readonly Finding[] {
    return this.damage;
  }

  /** Reads all parts in the background until the signal aborts. */
  startBackground({ signal, onDamage, onStopped }: BackgroundWatch): void {
    const { record } = this.store;
    const source: CheckedStore = {
      partsToRead: () => this.partsToRead(),
      readParts: (parts, budget) => this.readParts(parts, budget),
      checkedAtMs: (part) => record.checkedAtMs(part),
    };
    const noteDamage = (finding: Finding) => {
      this.damage.push(finding);
      this.count([finding]);
      onDamage(finding);
    };
    this.background = checkInBackground(source, {
      nowMs: Date.now,
      signal,
      onDamage: noteDamage,
    }).catch(onStopped);
  }

  /** Resolves when the background check has ended. */
  async settled(): Promise<void> {
    await this.background;
  }

  /**
   * Repairs the findings before any request is served: lost slots are marked missing, and the log
   * is marked for a re-fold when rows are lost. Returns the findings made during the repair.
   */
  async repair(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const found = await repair(this.store, findings);
    this.count(found);
    return found;
  }

  /** Records all present parts, in a folder that has no record yet. */
  async adopt(): Promise<void> {
    const { record, cursor } = this.store;
    if (cursor.read().slot === null) return;
    await record.observe();
    cursor.write(cursor.read());
  }

  /** Parts that answers depend on, in the order in which they are to be read. */
  async partsToRead(): Promise<StoredPart[]> {
    const { record, heavy } = this.store;
    return record.isKeepable ? this.inOrder(await readParts(heavy)) : [];
  }

  /** Reads parts, damaged and oldest first, and records when each was found intact. */
  async readParts(present: readonly StoredPart[], budget: CheckBudget): Promise<CheckedParts> {
    const { heavy, record } = this.store;
    return checkParts(heavy, this.inOrder(present), {
      ...budget,
      onChecked: (part, isWhole) => {
        record.noteChecked(part, isWhole ? Date.now() : 0);
        budget.onChecked?.(part, isWhole);
      },
    });
  }

  /** If the log cannot be read, its parts are checked; the repair then finds the lost slots. */
  private async compareLog(present: readonly StoredPart[]): Promise<readonly Finding[]> {
    const { heavy, gaps, cursor, logStart } = this.store;
    const { slot, isDirty } = cursor.read();
    try {
      // A folder of a version without a ledger gets one when its log is folded.
      const upTo = isDirty || gaps.isEmpty ? null : slot;
      return await compareLog(heavy, gaps, { from: logStart.slot, upTo });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const log = present.filter(({ table }) => table === LOG_TABLE);
      const { findings } = await this.readParts(log, { budgetMs: null, nowMs: () => 0 });
      if (findings.length === 0) throw error;
      return findings;
    }
  }

  private inOrder(parts: readonly StoredPart[]): StoredPart[] {
    const cursor = { ...this.store.cursor.read(), isDirty: false };
    const ages = parts
      .filter((part) => isAsked(part, cursor, this.store.logStart.slot))
      .map((part) => ({ part, age: this.store.record.checkedAtMs(part) }));
    // Among equals, small ones first: they show how fast this machine reads.
    return ages
      .sort(
        (one, other) => orderOf(one.age) - orderOf(other.age) || one.part.bytes - other.part.bytes,
      )
      .map(({ part }) => part);
  }

  private count(findings: readonly Finding[]): void {
    for (const { kind } of findings) this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }

  private async alterations(): Promise<Finding[]> {
    const { cursor, gaps, record, heavy, isControlNew } = this.store;
    const findings: Finding[] = [];
    if (!cursor.isIntact) findings.push({ kind: 'cursor-altered' });
    if (!gaps.isIntact) findings.push({ kind: 'ledger-altered' });
    if (record.isKept && !record.isIntact) findings.push({ kind: 'record-altered' });
    if (isControlNew && !(await isLogEmpty(heavy))) findings.push({ kind: 'control-lost' });
    return findings;
  }

  private async compareRecord(present: readonly StoredPart[]): Promise<Finding[]> {
    const { record, cursor, heavy, logStart } = this.store;
    const mutations = await readMutations(heavy);
    const compared = { recorded: record.parts, present, mutations };
    return compareParts({ ...compared, cursor: cursor.read(), logStart: logStart.slot });
  }
}

/** A damaged part of the log may be found twice. */
function distinct(findings: readonly Finding[]): Finding[] {
  const byText = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  return [...byText.values()];
}

/** Damaged parts first, then parts that were never read, then by age. */
function orderOf(checkedAtMs: number | null): number {
  if (checkedAtMs === 0) return -1;
  return checkedAtMs ?? 0;
}

async function readMutations(lane: Lane): Promise<Mutation[]> {
  const rows = await lane.rows<{ table: string; command: string; numbers: readonly string[] }>(
    'SELECT table, command, `block_numbers.number` AS numbers FROM system.mutations ' +
      'WHERE database = currentDatabase()',
  );
  return rows.flatMap(({ table, command, numbers }) =>
    numbers.map((number) => ({ table, command, number: Number(number) })),
  );
}
