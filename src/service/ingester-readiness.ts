import type { Readiness } from '../api/chain-status.ts';
import { lagSlotsOf, type MeasuredIngester } from './ingester-metrics.ts';

/** An ingester further behind its nodes is not ready: about a minute of mainnet. */
const LAG_SLOTS_MAX = 150;

/**
 * Whether an ingester does its part: the log takes steps, and if it writes, its nodes deliver blocks
 * and it keeps up with them. One that waits is ready too. `nowMs` is of the ingester's clock.
 */
export function ingesterReadiness(ingester: MeasuredIngester, nowMs: number): Readiness {
  const checks = {
    role: { ok: true, detail: roleOf(ingester) },
    log: logCheck(ingester, nowMs),
    source: sourceCheck(ingester),
  };
  return { isReady: Object.values(checks).every(({ ok }) => ok), checks };
}

function roleOf({ status }: MeasuredIngester): string {
  return status.isWriting ? 'appends to the log' : 'waits while another ingester appends';
}

function logCheck({ status, usage }: MeasuredIngester, nowMs: number) {
  const { failure, lastSeq } = status;
  if (failure !== null) {
    const seconds = Math.floor((nowMs - failure.sinceMs) / 1_000);
    return { ok: false, detail: `for ${seconds} s ${failure.sentence}` };
  }
  if (usage === null) return { ok: false, detail: 'the stream has not answered yet' };
  return { ok: true, detail: `${lastSeq} steps, ${sizeOf(usage)}` };
}

function sizeOf({ bytes, bytesMax }: NonNullable<MeasuredIngester['usage']>): string {
  return bytesMax === null ? `${bytes} bytes` : `${bytes} of at most ${bytesMax} bytes`;
}

function sourceCheck(ingester: MeasuredIngester) {
  const { status, source } = ingester;
  if (!status.isWriting || source === null) {
    return { ok: true, detail: 'no nodes are asked while this ingester waits' };
  }
  if (source.isOut) return { ok: false, detail: 'no node delivers blocks' };
  const lag = lagSlotsOf(ingester);
  const detail = lag === null ? 'no block yet' : `${lag} slots behind the nodes`;
  return { ok: (lag ?? 0) <= LAG_SLOTS_MAX, detail };
}
