import type { Slot } from '../../model/units.ts';
import type { Cursor } from '../control/cursor.ts';
import { rowLayersOf } from '../control/fold-layers.ts';
import { LOG_PARTITION_SLOTS } from '../migrations/0001-first-tables.ts';
import { rowVersion } from '../sql/row-version.ts';
import type { Finding } from './finding.ts';
import { covers, epochOf, type PartName } from './part-name.ts';
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
  /** Earlier slots were dropped from the log on purpose; null: none. */
  readonly logStart: Slot | null;
}

export const LOG_TABLE = 'slot_log';

/**
 * Finds recorded rows that are lost, by table. A part may have been merged into another since, or
 * rewritten by a statement that removes rows of other layers, rows that a later fold replaced, or
 * old slots of the log: block numbers in the part names show which part contains it now. Parts that were never recorded were written after the cursor, and are
 * ignored.
 */
export function compareParts(compared: ComparedParts): Finding[] {
  const { recorded, present, mutations, cursor, logStart } = compared;
  const byTable = Map.groupBy(present, ({ table }) => table);
  const mutationsOf = Map.groupBy(mutations, ({ table }) => table);
  const findings: Finding[] = [];
  for (const [table, parts] of Map.groupBy(recorded, (part) => part.table)) {
    const tools = {
      present: byTable.get(table) ?? [],
      mutations: mutationsOf.get(table) ?? [],
      epoch: cursor.epoch,
      logStart,
    };
    const lost = parts
      .filter((part) => isAsked(part, cursor, logStart))
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
 * then being removed from it, the ledger knows which, and the log is folded again. Its partitions
 * before its start are no longer read.
 */
export function isAsked(
  { table, place }: StoredPart,
  cursor: Cursor,
  logStart: Slot | null,
): boolean {
  if (table === LOG_TABLE) return !cursor.isDirty && !isBefore(place, logStart);
  const { top, base } = rowLayersOf(cursor);
  return [top, base?.epoch].includes(epochOf(place));
}

/** Whether all slots of a part of the log are before its start. */
function isBefore({ partition }: PartName, logStart: Slot | null): boolean {
  return logStart !== null && (Number(partition) + 1) * LOG_PARTITION_SLOTS <= logStart;
}

/** The present state of a table. */
interface Tools {
  readonly present: readonly StoredPart[];
  readonly mutations: readonly Mutation[];
  /** The current fold, whose merge may have removed replaced rows since. */
  readonly epoch: number;
  readonly logStart: Slot | null;
}

/** The reason why rows of a part are lost; null when all are present. */
function whyLost(part: StoredPart, tools: Tools): string | null {
  const holder = tools.present.find(({ place }) => covers(place, part.place));
  if (holder === undefined) {
    // A part without rows is removed.
    if (tools.mutations.some((mutation) => removesObsolete(mutation, part, tools))) return null;
    return `the part ${part.name} with ${part.rows} rows is not there`;
  }
  if (holder.name === part.name) {
    if (holder.rows === part.rows && holder.hash === part.hash) return null;
    return `the part ${part.name} differs from what was written`;
  }
  const rewriting = rewritingOf(part, holder, tools);
  if (rewriting === 'foreign') {
    return `the part ${holder.name} was rewritten by a statement that the service did not run`;
  }
  // A part never contains two rows with the same key, so a merge only removes duplicates.
  if (rewriting === 'replacing' || holder.rows >= part.rows) return null;
  return `the part ${holder.name} has ${holder.rows} rows where ${part.rows} were written`;
}

/**
 * What the statements did that rewrote a part since it was recorded: `harmless` ones kept all its
 * rows, `replacing` ones also removed rows that a later fold replaced or slots before the log's start.
 */
function rewritingOf(
  part: StoredPart,
  { place: now }: StoredPart,
  tools: Tools,
): 'harmless' | 'replacing' | 'foreign' {
  const version = versionOf(part);
  if (now.mutation <= version) return 'harmless';
  const since = tools.mutations.filter(({ number }) => number > version && number <= now.mutation);
  if (!since.some(({ number }) => number === now.mutation)) return 'foreign';
  const layer = epochOf(part.place);
  const changing = since.filter(({ command }) => !leavesLayer(command, layer));
  if (changing.length === 0) return 'harmless';
  const isReplacing = changing.every((mutation) => removesObsolete(mutation, part, tools));
  return isReplacing ? 'replacing' : 'foreign';
}

/**
 * Whether a statement removed rows that the current fold replaced, or slots before the log's start:
 * maybe some of this part.
 */
function removesObsolete(
  { number, command }: Mutation,
  part: StoredPart,
  { epoch, logStart }: Tools,
): boolean {
  if (number <= versionOf(part)) return false;
  if (part.table === LOG_TABLE) {
    const [, before] = OLD_SLOTS_REMOVAL.exec(command) ?? [];
    return before !== undefined && logStart !== null && Number(before) <= logStart;
  }
  const [, layer, firstCopied] = REPLACED_REMOVAL.exec(command) ?? [];
  return Number(layer) === epochOf(part.place) && firstCopied === rowVersion(epoch, 0);
}

/** Statements with higher numbers ran after the part was written, and were not applied to it. */
function versionOf({ place }: StoredPart): number {
  return Math.max(place.firstBlock, place.mutation);
}

const LAYER_REMOVAL = /^\(?DELETE WHERE epoch (<|>=|!=) (?:_CAST\()?(\d+)/;
const OLD_SLOTS_REMOVAL = /^\(?DELETE WHERE slot < (?:_CAST\()?(\d+)[^<>=]*$/;
const REPLACED_REMOVAL =
  /^\(?DELETE WHERE \(epoch = (?:_CAST\()?(\d+).*\) AND \(version > .+\) AND \(version < (?:_CAST\()?(\d+).*\)\)?$/;

/** Whether a statement removes only rows of other layers (store/epochs.ts, store/layers.ts). */
function leavesLayer(command: string, layer: number): boolean {
  const [, operator, bound] = LAYER_REMOVAL.exec(command) ?? [];
  if (operator === undefined) return false;
  if (operator === '!=') return layer === Number(bound);
  return operator === '<' ? layer >= Number(bound) : layer < Number(bound);
}
