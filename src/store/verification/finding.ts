import type { Slot } from '../../model/units.ts';

/** Something that the store held and does not hold any more, or holds damaged. */
export type Finding =
  /** Rows of a derived table, or records of the log, that were stored are gone. */
  | { readonly kind: 'rows-lost'; readonly table: string; readonly why: string }
  /** A part cannot be read as it was written. */
  | {
      readonly kind: 'part-damaged';
      readonly table: string;
      readonly part: string;
      readonly why: string;
    }
  /** Blocks that the ledger calls held are not in the log. */
  | { readonly kind: 'slots-lost'; readonly from: Slot; readonly to: Slot }
  /** The log holds blocks of which the ledger says nothing, or that there are none. */
  | { readonly kind: 'ledger-incomplete'; readonly from: Slot; readonly to: Slot }
  | { readonly kind: 'ledger-altered' }
  | { readonly kind: 'cursor-altered' }
  /** The record of parts is not as it was written. */
  | { readonly kind: 'record-altered' }
  /** The log is there, and the control database beside it is a new one. */
  | { readonly kind: 'control-lost' }
  | { readonly kind: 'snapshot-damaged'; readonly name: string; readonly why: string };

export type FindingKind = Finding['kind'];

/** What was found, and what becomes of it, in one sentence. */
export function findingInWords(finding: Finding): string {
  switch (finding.kind) {
    case 'rows-lost':
      return `Stored rows of ${finding.table} are lost (${finding.why}): ${refilled(finding.table)}.`;
    case 'part-damaged':
      return (
        `The part ${finding.part} of ${finding.table} is damaged (${finding.why}): it is set ` +
        `aside, and ${refilled(finding.table)}.`
      );
    case 'slots-lost':
      return (
        `${slotsOf(finding)} of the log are lost: they are named missing until a node, ` +
        '"mintscope backfill" or "mintscope replay" gives them again.'
      );
    case 'ledger-incomplete':
      return `The ledger does not speak of ${slotsOf(finding)}, which the log holds: it is made again from the log.`;
    case 'ledger-altered':
      return 'The ledger of slots is not as it was written: it is made again from the log.';
    case 'cursor-altered':
      return 'The cursor is not as it was written: the log is folded again.';
    case 'record-altered':
      return 'The record of stored parts is not as it was written: the log is folded again.';
    case 'control-lost':
      return (
        'The control database is new and the log beside it is not: cursor and ledger are made again ' +
        'from the log; API keys, triggers and webhooks of before are gone unless a copy is restored.'
      );
    case 'snapshot-damaged':
      return `The snapshot ${finding.name} is not used (${finding.why}): the state is folded from the log instead.`;
  }
}

function refilled(table: string): string {
  return table === 'slot_log'
    ? 'slots that are lost with it are named missing'
    : 'the log is folded again before anything is served';
}

function slotsOf({ from, to }: { readonly from: Slot; readonly to: Slot }): string {
  return from === to ? `slot ${from}` : `slots ${from} to ${to}`;
}
