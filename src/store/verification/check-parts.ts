import type { Lane } from '../sql/lane.ts';
import { isOutOfResources, SqlError } from '../sql/sql-session.ts';
import type { Finding } from './finding.ts';
import type { StoredPart } from './stored-part.ts';

/** ClickHouse's code for a part that no longer exists because it was merged into another. */
const NO_SUCH_DATA_PART = 232;
/** Maximum length of a quoted message. */
const WHY_MAX = 200;

/** A part that could not be read: it may be intact. */
interface Unread {
  readonly kind: 'unread';
  readonly why: string;
}

/**
 * Reads a part's files and compares them with the checksums that were written with them. Null: the
 * part is intact, or was merged into another meanwhile. Unread: there was no memory, time or
 * descriptor to read it.
 */
export async function checkPart(
  lane: Lane,
  { table, name }: StoredPart,
): Promise<Finding | Unread | null> {
  const why = await damageOf(lane, table, name);
  return why === null || typeof why !== 'string'
    ? why
    : { kind: 'part-damaged', table, part: name, why: why.slice(0, WHY_MAX) };
}

async function damageOf(lane: Lane, table: string, name: string): Promise<string | Unread | null> {
  try {
    const rows = await lane.rows<{ is_passed: number | boolean; message: string }>(
      `CHECK TABLE ${table} PART '${name}' SETTINGS check_query_single_value_result = 0`,
    );
    const failed = rows.find(({ is_passed }) => !is_passed);
    return failed === undefined ? null : reasonIn(failed.message);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (!(cause instanceof SqlError) || cause.code === null) throw error;
    if (isOutOfResources(cause)) {
      return { kind: 'unread', why: reasonIn(cause.message).slice(0, WHY_MAX) };
    }
    return cause.code === NO_SUCH_DATA_PART ? null : reasonIn(cause.message);
  }
}

/** The message without the engine's error number and version. */
function reasonIn(message: string): string {
  return message.replace(/^Code: \d+\. DB::Exception: /, '').replace(/[.\s]*\([A-Z_]+\).*$/s, '');
}

/** Limits for reading parts. */
export interface CheckBudget {
  /** Null: no time limit. */
  readonly budgetMs: number | null;
  /** The share of all bytes to read; default: all. */
  readonly share?: number;
  readonly nowMs: () => number;
  readonly signal?: AbortSignal;
  readonly onChecked?: (part: StoredPart, isWhole: boolean) => void;
}

/** The result of reading parts. */
export interface CheckedParts {
  readonly findings: readonly Finding[];
  readonly bytes: number;
  readonly bytesTotal: number;
  readonly parts: number;
  readonly partsTotal: number;
  readonly unread: UnreadParts;
}

/** Parts that could not be read for lack of memory, time, space or descriptors. */
export interface UnreadParts {
  readonly parts: number;
  readonly bytes: number;
  /** The reason for the first of them, as text; null when there are none. */
  readonly why: string | null;
}

/** A low estimate of the read speed, used until KNOWN_AFTER_BYTES were read. */
const GUESSED_BYTES_PER_MS = 50_000;
const KNOWN_AFTER_BYTES = 20_000_000;

/**
 * Checks parts in the order given, as many as the budget allows. A part that is too large for the
 * rest of the budget is skipped.
 */
export async function checkParts(
  lane: Lane,
  ordered: readonly StoredPart[],
  { budgetMs, share = 1, nowMs, signal, onChecked }: CheckBudget,
): Promise<CheckedParts> {
  const startedMs = nowMs();
  const findings: Finding[] = [];
  const done = { bytes: 0, parts: 0 };
  let unread: UnreadParts = { parts: 0, bytes: 0, why: null };
  const bytesTotal = ordered.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const part of ordered) {
    if (signal?.aborted === true) break;
    const spentMs = nowMs() - startedMs;
    if (done.bytes >= share * bytesTotal) break;
    if (budgetMs !== null && spentMs + costMs(part, done, spentMs) > budgetMs) continue;
    const finding = await checkPart(lane, part);
    if (finding?.kind === 'unread') {
      const { parts, bytes, why } = unread;
      unread = { parts: parts + 1, bytes: bytes + part.bytes, why: why ?? finding.why };
      continue;
    }
    if (finding !== null) findings.push(finding);
    done.bytes += part.bytes;
    done.parts++;
    onChecked?.(part, finding === null);
  }
  return { findings, ...done, bytesTotal, partsTotal: ordered.length, unread };
}

/** Estimated time for a part, from the time that earlier parts took. */
function costMs(
  { bytes }: StoredPart,
  done: { readonly bytes: number; readonly parts: number },
  spentMs: number,
): number {
  const guessedMs = bytes / GUESSED_BYTES_PER_MS;
  return done.bytes < KNOWN_AFTER_BYTES ? guessedMs : (bytes * spentMs) / done.bytes;
}
