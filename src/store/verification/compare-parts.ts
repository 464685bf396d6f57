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

/** What was recorded, and what there is. */
export interface ComparedParts {
  readonly recorded: readonly StoredPart[];
  readonly present: readonly StoredPart[];
  readonly mutations: readonly Mutation[];
  readonly cursor: Cursor;
}

export const LOG_TABLE = 'slot_log';

/**
 * What was recorded and is gone, by table. A part may have been merged into another since, or have been
 * rewritten by a statement that takes rows of other folds: the block numbers in its name say into
 * which. Parts that were never recorded came after the cursor, and are of no interest.
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

/** Reasons that are told one by one. */
const REPORTED_MAX = 2;

function inWords(reasons: readonly string[]): string {
  const rest = reasons.length - REPORTED_MAX;
  const told = reasons.slice(0, REPORTED_MAX).join('; ');
  return rest > 0 ? `${told}; and the same of ${rest} more parts` : told;
}

/**
 * Whether answers depend on the part. Of the log nothing is said while it is dirty: slots are being
 * taken out of it then, the ledger knows which, and all of it is folded again.
 */
export function isAsked({ table, place }: StoredPart, { epoch, isDirty }: Cursor): boolean {
  return table === LOG_TABLE ? !isDirty : epochOf(place) === epoch;
}

/** What there is of a table. */
interface Tools {
  readonly present: readonly StoredPart[];
  readonly mutations: readonly Mutation[];
  readonly epoch: number;
}

/** Null for a part whose rows are all there. */
function whyLost(part: StoredPart, tools: Tools): string | null {
  const holder = tools.present.find(({ place }) => covers(place, part.place));
  if (holder === undefined) return `the part ${part.name} with ${part.rows} rows is not there`;
  if (holder.name === part.name) {
    if (holder.rows === part.rows && holder.hash === part.hash) return null;
    return `the part ${part.name} is another than was written`;
  }
  if (!isRewrittenHarmlessly(part, holder, tools)) {
    return `the part ${holder.name} was rewritten by a statement that is not the service's`;
  }
  // Rows of one key are one row within a part already.
  if (holder.rows >= part.rows) return null;
  return `the part ${holder.name} has ${holder.rows} rows where ${part.rows} were written`;
}

/** Whether every statement that rewrote a part since it was recorded left the rows that are asked for. */
function isRewrittenHarmlessly(
  { place }: StoredPart,
  { place: now }: StoredPart,
  { mutations, epoch }: Tools,
): boolean {
  // Statements with lower numbers were before it, or are in it already.
  const version = Math.max(place.firstBlock, place.mutation);
  if (now.mutation <= version) return true;
  const since = mutations.filter(({ number }) => number > version && number <= now.mutation);
  const isNamed = since.some(({ number }) => number === now.mutation);
  return isNamed && since.every(({ command }) => leavesEpoch(command, epoch));
}

const EPOCH_DELETION = /^\(?DELETE WHERE epoch (<|>=) (?:_CAST\()?(\d+)/;

/** Whether a statement only takes rows of other folds. */
function leavesEpoch(command: string, epoch: number): boolean {
  const [, operator, bound] = EPOCH_DELETION.exec(command) ?? [];
  if (operator === undefined) return false;
  return operator === '<' ? epoch >= Number(bound) : epoch < Number(bound);
}
