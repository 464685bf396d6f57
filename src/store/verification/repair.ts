import type { MissingMark } from '../../model/slot-range.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { Cursor } from '../control/cursor.ts';
import type { GapLedger } from '../control/gap-ledger.ts';
import { assertWholeLog } from '../log-start.ts';
import { DERIVED_TABLES } from '../migrations/tables.ts';
import type { Lane } from '../sql/lane.ts';
import { epochOfVersion } from '../sql/row-version.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { compareLog } from './compare-log.ts';
import { LOG_TABLE } from './compare-parts.ts';
import { describeFinding, type Finding, type FindingKind } from './finding.ts';
import { lostMarks } from './lost-marks.ts';
import type { VerifiedStore } from './verified-store.ts';

/** Findings after which the derived rows cannot be trusted: the log is folded again. */
const REFOLDED: readonly FindingKind[] = [
  'rows-lost',
  'ledger-incomplete',
  'ledger-altered',
  'cursor-altered',
  'record-altered',
  'control-lost',
];
/** Findings after which the ledger is rebuilt. */
const LEDGER_REBUILT: readonly FindingKind[] = ['ledger-incomplete', 'ledger-altered'];
/** Findings after which the epoch is read from the rows. */
const EPOCH_REREAD: readonly FindingKind[] = ['cursor-altered', 'control-lost'];

/**
 * Detaches damaged parts; then one cursor write marks lost slots missing, requests a re-fold of the
 * log, and records the parts that are left. After a kill before that write, the next start finds
 * the same again. Returns the findings that detaching added.
 *
 * Throws StoreError, before anything is changed, where a log of which old slots were dropped would
 * have to be folded again as a whole.
 */
export async function repair(
  store: VerifiedStore,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const { cursor, gaps, record, writer, heavy } = store;
  assertRefoldable(store, findings);
  await setDamagedAside(writer, findings);
  const found = findings.some(isDamagedLog) ? await lostSince(store, findings) : [];
  const all = [...findings, ...found];
  const marks = await lostMarks(heavy, all);
  const next = await nextCursor(store, all);
  if (isAny(all, ['record-altered'])) inTransaction(store.control, () => record.clear());
  await record.observe();
  cursor.write(next, marks);
  if (isAny(all, LEDGER_REBUILT)) inTransaction(store.control, () => rebuild(gaps));
  return found;
}

/** Detached parts stay in the engine's folder, in `detached`, for inspection. */
async function setDamagedAside(writer: Lane, findings: readonly Finding[]): Promise<void> {
  for (const finding of findings) {
    if (finding.kind !== 'part-damaged') continue;
    const { table, part } = finding;
    await writer.command(`ALTER TABLE ${table} DETACH PART '${part}'`);
  }
}

function isDamagedLog(finding: Finding): boolean {
  return finding.kind === 'part-damaged' && finding.table === LOG_TABLE;
}

/** Slots that were lost with the detached parts. */
async function lostSince(
  { heavy, gaps, logStart }: VerifiedStore,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const known = new Set(findings.map((finding) => JSON.stringify(finding)));
  const lost = await compareLog(heavy, gaps, { from: logStart.slot, upTo: null });
  return lost.filter((finding) => !known.has(JSON.stringify(finding)));
}

async function nextCursor(
  { cursor: table, heavy, logStart }: VerifiedStore,
  findings: readonly Finding[],
): Promise<Cursor> {
  const cursor = table.read();
  const { slot } = cursor;
  const isRefolded = findings.some((finding) => needsRefold(finding, findings));
  // If the cursor's slot is lost, the log no longer contains the source of its derived rows.
  const lostEnd = findings.find(
    (one) => one.kind === 'slots-lost' && slot !== null && one.from <= slot && one.to >= slot,
  );
  const isEndLost = lostEnd !== undefined;
  const isDirty = cursor.isDirty || isRefolded || isEndLost;
  if (isAny(findings, EPOCH_REREAD)) return { epoch: await newestEpoch(heavy), slot, isDirty };
  if (lostEnd?.kind === 'slots-lost' && !isRefolded && logStart.slot !== null) {
    return { ...cursor, isDirty, dirtyFrom: firstChanged(cursor, lostEnd.from) };
  }
  // What was lost may be of any slot.
  return isRefolded || isEndLost ? { ...cursor, isDirty, dirtyFrom: null } : cursor;
}

/** The first slot from which the log must be folded again; null: any may have changed. */
function firstChanged({ isDirty, dirtyFrom = null }: Cursor, from: Slot): Slot | null {
  if (!isDirty) return from;
  return dirtyFrom === null ? null : asSlot(Math.min(dirtyFrom, from));
}

/** A log without its first slots cannot be folded again as a whole. */
function assertRefoldable({ logStart }: VerifiedStore, findings: readonly Finding[]): void {
  // Which slots are lost with a damaged part of the log is known once it is set aside.
  const isLogDamaged = findings.some(isDamagedLog);
  const isOpen = (one: Finding) => one.kind === 'rows-lost' && one.table === LOG_TABLE;
  const refolded = findings.find(
    (one) => !(isLogDamaged && isOpen(one)) && needsRefold(one, findings),
  );
  if (refolded !== undefined) assertWholeLog(logStart, reasonOf(refolded));
}

/** The sentence about a finding, without its end. */
function reasonOf(finding: Finding): string {
  return describeFinding(finding).replace(/[:.].*$/s, '');
}

function needsRefold(finding: Finding, all: readonly Finding[]): boolean {
  if (finding.kind === 'part-damaged') return finding.table !== LOG_TABLE;
  // Derived rows of lost slots stay valid. If no slot is lost, older records became visible.
  if (finding.kind === 'rows-lost' && finding.table === LOG_TABLE)
    return !isAny(all, ['slots-lost']);
  return REFOLDED.includes(finding.kind);
}

/**
 * The newest fold that wrote rows. They may be in the layer of an earlier one; the next fold of the
 * whole log replaces the rows of all layers.
 */
async function newestEpoch(lane: Lane): Promise<number> {
  let newest = 1;
  for (const { name } of DERIVED_TABLES) {
    const [row] = await lane.rows<{ newest: string; layer: number }>(
      `SELECT max(version) AS newest, max(epoch) AS layer FROM ${name}`,
    );
    if (row !== undefined) newest = Math.max(newest, row.layer, epochOfVersion(row.newest));
  }
  return newest;
}

function isAny(findings: readonly Finding[], kinds: readonly FindingKind[]): boolean {
  return findings.some(({ kind }) => kinds.includes(kind));
}

/** Keeps only the missing ranges: the re-fold of the log adds all others. */
function rebuild(gaps: GapLedger): void {
  const missing = gaps.gaps.map(
    (gap): MissingMark => ({ ...gap, state: 'missing', isSuspected: false }),
  );
  gaps.clear();
  gaps.mark(missing);
}
