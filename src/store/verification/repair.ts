import type { MissingMark } from '../../model/slot-range.ts';
import type { Cursor } from '../control/cursor.ts';
import type { GapLedger } from '../control/gap-ledger.ts';
import { DERIVED_TABLES } from '../migrations/tables.ts';
import type { Lane } from '../sql/lane.ts';
import { epochOfVersion } from '../sql/row-version.ts';
import { inTransaction } from '../sqlite/sqlite-transaction.ts';
import { compareLog } from './compare-log.ts';
import { LOG_TABLE } from './compare-parts.ts';
import type { Finding, FindingKind } from './finding.ts';
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
 */
export async function repair(
  store: VerifiedStore,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const { cursor, gaps, record, writer, heavy } = store;
  await setDamagedAside(writer, findings);
  const found = findings.some(isDamagedLog) ? await lostSince(heavy, gaps, findings) : [];
  const all = [...findings, ...found];
  const marks = await lostMarks(heavy, all);
  const next = await nextCursor(heavy, cursor.read(), all);
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
  lane: Lane,
  gaps: GapLedger,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const known = new Set(findings.map((finding) => JSON.stringify(finding)));
  const lost = await compareLog(lane, gaps, null);
  return lost.filter((finding) => !known.has(JSON.stringify(finding)));
}

async function nextCursor(
  lane: Lane,
  cursor: Cursor,
  findings: readonly Finding[],
): Promise<Cursor> {
  const { slot } = cursor;
  const isRefolded = findings.some((finding) => needsRefold(finding, findings));
  // If the cursor's slot is lost, the log no longer contains the source of its derived rows.
  const isEndLost = findings.some(
    (one) => one.kind === 'slots-lost' && slot !== null && one.from <= slot && one.to >= slot,
  );
  const isDirty = cursor.isDirty || isRefolded || isEndLost;
  if (isAny(findings, EPOCH_REREAD)) return { epoch: await newestEpoch(lane), slot, isDirty };
  // What was lost may be of any slot.
  return isRefolded || isEndLost ? { ...cursor, isDirty, dirtyFrom: null } : cursor;
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
