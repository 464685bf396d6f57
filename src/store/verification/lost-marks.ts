import type { MissingMark } from '../../model/slot-range.ts';
import type { Lane } from '../sql/lane.ts';
import type { Finding } from './finding.ts';

/** With more lost ranges than this, their chain times are not looked up. */
const TIMED_RUNS_MAX = 256;
/** Block times may go back a little from slot to slot. */
const TIMES_AROUND = 64;

const REASON = 'the store lost what was held there';

/** Marks that change lost slots from held to missing. */
export async function lostMarks(lane: Lane, findings: readonly Finding[]): Promise<MissingMark[]> {
  const lost = findings.filter((finding) => finding.kind === 'slots-lost');
  const marks: MissingMark[] = [];
  for (const { from, to } of lost) {
    const times =
      lost.length > TIMED_RUNS_MAX
        ? { afterMs: null, beforeMs: null }
        : await timesAround(lane, from, to);
    const gap = { from, to, reason: REASON, sinceMs: Date.now(), tries: 0, ...times };
    marks.push({ ...gap, state: 'missing', isSuspected: true });
  }
  return marks;
}

/** Chain times before and after a range, as far as the adjacent blocks have times. */
async function timesAround(
  lane: Lane,
  from: number,
  to: number,
): Promise<Pick<MissingMark, 'afterMs' | 'beforeMs'>> {
  const before = await lane.rows<{ time: string }>(
    'SELECT block_time_ms AS time FROM slot_log WHERE slot < {from:UInt64} AND ' +
      `block_time_ms IS NOT NULL ORDER BY slot DESC LIMIT ${TIMES_AROUND}`,
    { from },
  );
  const [after] = await lane.rows<{ time: string }>(
    'SELECT block_time_ms AS time FROM slot_log WHERE slot > {to:UInt64} AND ' +
      'block_time_ms IS NOT NULL ORDER BY slot LIMIT 1',
    { to },
  );
  const timesBefore = before.map(({ time }) => Number(time));
  return {
    afterMs: timesBefore[0] ?? null,
    beforeMs: after === undefined ? null : Math.max(Number(after.time), ...timesBefore),
  };
}
