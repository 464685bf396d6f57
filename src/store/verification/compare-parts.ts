import type { Cursor } from '../control/cursor.ts';
import type { Finding } from './finding.ts';
import { covers, epochOf } from './part-name.ts';
import type { StoredPart } from './stored-part.ts';

/** A statement that rewrote the parts of a table. */
export interface Mutation {
  readonly table: string;
  readonly number: number;
  readonly command: string;
}

/** The recorded parts, the present parts, and what is needed to compare them. */
export interface ComparedParts {
  readonly recorded: readonly StoredPart[];
  readonly present: readonly StoredPart[];
  readonly mutations: readonly Mutation[];
  readonly cursor: Cursor;
}

export const LOG_TABLE = 'slot_log';

/**
 * Finds recorded rows that are lost, by table. A part may have been merged into another since, or
 * rewritten by a statement that deletes rows of other epochs: block numbers in the part names show
 * which part contains it now. Parts that were never recorded were written after the cursor, and are
 * ignored.
 */
export function compareParts({ recorded, present, mutations, cursor }: ComparedParts): Finding[] {
  const byTable = Map.groupBy(present, ({ table }) => table);
  const mutationsOf = Map.groupBy(mutations, ({ table }) => table);
  const findings: Finding[] = [];
  for (const [table, parts] of Map.groupBy(recorded, (part) => part.table)) {
    const tools = {
      present: byTable.get(table) ?? [],
      mutations: mutationsOf.get(table) ?? [],
      epoch: cursor.epoch,
    };
    const lost = parts
      .filter((part) => isAsked(part, cursor))
      .flatMap((part) => {
        const why = whyLost(part, tools);
        return why === null ? [] : [why];
      });
    if (lost.length > 0) findings.push({ kind: 'rows-lost', table, why: inWords(lost) });
  }
  return findings;
}

/** Reasons listed individually. */
const REPORTED_MAX = 2;

function inWords(reasons: readonly string[]): string {
  const rest = reasons.length - REPORTED_MAX;
  const text = reasons.slice(0, REPORTED_MAX).join('; ');
  return rest > 0 ? `${text}; and the same of ${rest} more parts` : text;
}

/**
 * Whether answers depend on the part. The log is not checked while the cursor is dirty: slots are
 * then being removed from it, the ledger knows which, and the whole log is folded again.
 */
export function isAsked({ table, place }: StoredPart, { epoch, isDirty }: Cursor): boolean {
  return table === LOG_TABLE ? !isDirty : epochOf(place) === epoch;
}

/** The present state of a table. */
interface Tools {
  readonly present: readonly StoredPart[];
  readonly mutations: readonly Mutation[];
  readonly epoch: number;
}

/** The reason why rows of a part are lost; null when all are present. */
function whyLost(part: StoredPart, tools: Tools): string | null {
  const holder = tools.present.find(({ place }) => covers(place, part.place));
  if (holder === undefined) return `the part ${part.name} with ${part.rows} rows is not there`;
  if (holder.name === part.name) {
    if (holder.rows === part.rows && holder.hash === part.hash) return null;
    return `the part ${part.name} differs from what was written`;
  }
  if (!isRewrittenHarmlessly(part, holder, tools)) {
    return `the part ${holder.name} was rewritten by a statement that the service did not run`;
  }
  // A part never contains two rows with the same key, so a merge only removes duplicates.
  if (holder.rows >= part.rows) return null;
  return `the part ${holder.name} has ${holder.rows} rows where ${part.rows} were written`;
}

/** Whether every statement that rewrote a part since it was recorded kept the visible rows. */
function isRewrittenHarmlessly(
  { place }: StoredPart,
  { place: now }: StoredPart,
  { mutations, epoch }: Tools,
): boolean {
  // Statements with lower numbers ran before the part was written, or were applied to it.
  const version = Math.max(place.firstBlock, place.mutation);
  if (now.mutation <= version) return true;
  const since = mutations.filter(({ number }) => number > version && number <= now.mutation);
  const isNamed = since.some(({ number }) => number === now.mutation);
  return isNamed && since.every(({ command }) => leavesEpoch(command, epoch));
}

const EPOCH_DELETION = /^\(?DELETE WHERE epoch (<|>=) (?:_CAST\()?(\d+)/;

/** Whether a statement deletes only rows of other epochs. */
function leavesEpoch(command: string, epoch: number): boolean {
  const [, operator, bound] = EPOCH_DELETION.exec(command) ?? [];
  if (operator === undefined) return false;
  return operator === '<' ? epoch >= Number(bound) : epoch < Number(bound);
}
