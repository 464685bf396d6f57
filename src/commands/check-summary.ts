import type { SlotGap } from '../model/slot-range.ts';
import type { CheckedStates } from '../store/checkpoints/check-states.ts';
import { describeFinding, type Finding } from '../store/verification/finding.ts';
import type { Verified } from '../store/verification/verification.ts';

/** Result of a check. */
export interface Examined extends Verified {
  readonly gaps: readonly SlotGap[];
  readonly states: CheckedStates;
}

/** The output of `check --json`. */
export type CheckSummary = ReturnType<typeof summaryOf>;

/** `is_whole` is null if no loss was found but not everything could be read. */
export function summaryOf(
  { findings, gaps, read, states, isRecorded }: Examined,
  isRepaired: boolean,
  seconds: number,
) {
  const isNothingFound = findings.length === 0 && states.damaged.length === 0;
  const isNothingLost = (isNothingFound || isRepaired) && gaps.length === 0;
  return {
    is_whole: isNothingLost && read.unread.parts > 0 ? null : isNothingLost,
    findings: findings.map((finding: Finding) => ({
      ...finding,
      sentence: describeFinding(finding),
    })),
    is_repaired: isRepaired,
    missing_slots: gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0),
    missing: gaps.map(({ from, to, reason }) => ({ from, to, reason })),
    is_recorded: isRecorded,
    read: {
      parts: read.parts,
      parts_total: read.partsTotal,
      bytes: read.bytes,
      bytes_total: read.bytesTotal,
      unread: read.unread,
    },
    state: {
      checkpoints: states.checkpoints,
      records: states.records,
      damaged: states.damaged,
      is_complete: states.isComplete,
    },
    seconds: Number(seconds.toFixed(3)),
  };
}

/** Maximum number of gaps listed individually. */
const NAMED_MAX = 10;

/** The text output. */
export function linesOf(summary: CheckSummary): string[] {
  const { findings, missing, read, state } = summary;
  const found = summary.is_repaired ? 'repaired' : 'found   ';
  return [
    ...findings.map(({ sentence }) => `${found} ${sentence}`),
    ...missing
      .slice(0, NAMED_MAX)
      .map(({ from, to, reason }) => `missing  slots ${from} to ${to}: ${reason}`),
    ...(missing.length > NAMED_MAX ? [`missing  and ${missing.length - NAMED_MAX} more`] : []),
    ...(summary.is_recorded
      ? []
      : [
          'unknown  an earlier version wrote this folder: what its tables held is recorded from the next start on',
        ]),
    ...(read.unread.parts === 0
      ? []
      : [
          `unread   ${read.unread.parts} parts, ${megabytes(read.unread.bytes)}, could not be read: ${read.unread.why}`,
        ]),
    ...state.damaged.map(({ name, sentence }) => `${found} ${sentence} ${wayOut(name)}`),
    `state    ${state.checkpoints} checkpoints, ${state.records} records read${state.is_complete ? '' : ', not all of them'}`,
    `read     ${read.parts} of ${read.parts_total} parts, ${megabytes(read.bytes)} of ${megabytes(read.bytes_total)}, in ${summary.seconds.toFixed(1)} s`,
    verdictOf(summary),
  ];
}

/** Without an intact checkpoint the state is computed again from the log. */
function wayOut(name: string): string {
  return `The repair removes ${name}: a start uses the checkpoint before it, or folds the log again.`;
}

function verdictOf(summary: CheckSummary): string {
  const { is_whole, findings, state, is_repaired, missing_slots } = summary;
  if (is_whole === null) {
    const found = is_repaired ? 'what was found is repaired' : 'nothing is found lost';
    return `unknown  ${found}, but not all parts could be read: check again with more memory, time or descriptors`;
  }
  if (is_whole) return is_repaired ? 'whole    after the repair' : 'whole    nothing is lost';
  if (findings.length + state.damaged.length > 0 && !is_repaired) {
    return 'not whole: "mintscope check --repair", or the next start, repairs it';
  }
  return `not whole: ${missing_slots} slots are missing; a service that follows the chain, "mintscope backfill" or "mintscope replay" brings them`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
