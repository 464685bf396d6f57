import type { Slot } from '../../model/units.ts';

/** Stored data that are lost or damaged. */
export type Finding =
  /** Stored rows of a derived table, or records of the log, are lost. */
  | { readonly kind: 'rows-lost'; readonly table: string; readonly why: string }
  /** A part does not match its checksums. */
  | {
      readonly kind: 'part-damaged';
      readonly table: string;
      readonly part: string;
      readonly why: string;
    }
  /** Blocks that are held according to the ledger are not in the log. */
  | { readonly kind: 'slots-lost'; readonly from: Slot; readonly to: Slot }
  /** The log contains blocks that the ledger does not know or calls skipped. */
  | { readonly kind: 'ledger-incomplete'; readonly from: Slot; readonly to: Slot }
  | { readonly kind: 'ledger-altered' }
  | { readonly kind: 'cursor-altered' }
  /** The record of parts does not match its sum. */
  | { readonly kind: 'record-altered' }
  /** The log has content, but the control database is new. */
  | { readonly kind: 'control-lost' };

export type FindingKind = Finding['kind'];

/** A sentence that says what was found and how it is repaired. */
export function describeFinding(finding: Finding): string {
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
        `${slotsOf(finding)} of the log are lost: they are marked missing until a node, ` +
        '"mintscope backfill" or "mintscope replay" provides them again.'
      );
    case 'ledger-incomplete':
      return `The ledger does not speak of ${slotsOf(finding)}, which the log contains: it is rebuilt from the log.`;
    case 'ledger-altered':
      return 'The ledger of slots is not as it was written: it is rebuilt from the log.';
    case 'cursor-altered':
      return 'The cursor is not as it was written: the log is folded again.';
    case 'record-altered':
      return 'The record of stored parts is not as it was written: the log is folded again.';
    case 'control-lost':
      return (
        'The control database is new, but the log is not: cursor and ledger are rebuilt from the ' +
        'log; earlier API keys, triggers and webhooks are gone unless a copy is restored.'
      );
  }
}

function refilled(table: string): string {
  return table === 'slot_log'
    ? 'slots that are lost with it are marked missing'
    : 'the log is folded again before anything is served';
}

function slotsOf({ from, to }: { readonly from: Slot; readonly to: Slot }): string {
  return from === to ? `slot ${from}` : `slots ${from} to ${to}`;
}
