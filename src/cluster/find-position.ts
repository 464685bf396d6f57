import type { ChainPoint } from '../chain/block-link.ts';
import { decodeHead, type StepHead } from './step-head.ts';
import type { LogBounds, StepLog } from './step-log.ts';

/**
 * Where a replica goes on reading.
 * - `from`: all steps after its last final block are in the log from `seq` on.
 * - `truncated`: the log begins too late, after a slot; null if that is unknown.
 * - `other-block`: the log has another block of the slot as its final one.
 * - `ahead`: the replica's last final block is not in the log yet.
 */
export type LogPosition =
  | { readonly kind: 'from'; readonly seq: number }
  | { readonly kind: 'truncated'; readonly afterSlot: number | null }
  | { readonly kind: 'other-block'; readonly blockhash: string }
  | { readonly kind: 'ahead'; readonly finalSlot: number | null };

/** More steps than a tail of blocks has while it is not final. */
const BACK = 4_000;

/**
 * Finds where a replica goes on that has everything up to a final block; null: nothing. The slot of
 * the final block never falls in the log, so its position is found by bisection. Rejects with
 * LogUnavailable.
 */
export async function findPosition(
  log: StepLog,
  final: ChainPoint | null,
  signal: AbortSignal,
): Promise<LogPosition> {
  const bounds = await log.bounds();
  const { firstSeq, lastSeq } = bounds;
  if (final === null) {
    return firstSeq === 1
      ? { kind: 'from', seq: 1 }
      : { kind: 'truncated', afterSlot: await slotBefore(log, bounds) };
  }
  const finalSeq = await firstWith(log, firstSeq, lastSeq, final.slot);
  if (finalSeq > lastSeq) {
    const head = lastSeq < firstSeq ? null : await headAt(log, lastSeq);
    return { kind: 'ahead', finalSlot: head?.final?.slot ?? null };
  }
  const fromSeq = Math.max(firstSeq, finalSeq - BACK);
  const found = await lastBlockOf(log, final, fromSeq, finalSeq, signal);
  if (found?.isSame === true) return { kind: 'from', seq: found.seq + 1 };
  if (found !== null) return { kind: 'other-block', blockhash: found.blockhash };
  return { kind: 'truncated', afterSlot: await slotBefore(log, bounds) };
}

/** The first sequence whose head names a final slot of at least `slot`; `lastSeq + 1` for none. */
async function firstWith(
  log: StepLog,
  firstSeq: number,
  lastSeq: number,
  slot: number,
): Promise<number> {
  let low = firstSeq;
  let high = lastSeq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const head = await headAt(log, middle);
    // A message that is none of ours says nothing: the one before it does.
    if (head === undefined) {
      const known = await knownBefore(log, middle, low);
      if (known === null || (known.final?.slot ?? -1) < slot) low = middle + 1;
      else high = middle;
    } else if ((head.final?.slot ?? -1) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function knownBefore(log: StepLog, seq: number, low: number): Promise<StepHead | null> {
  for (let before = seq - 1; before >= low; before--) {
    const head = await headAt(log, before);
    if (head !== undefined) return head;
  }
  return null;
}

/** Undefined for a message without a usable head. */
async function headAt(log: StepLog, seq: number): Promise<StepHead | undefined> {
  const line = await log.headAt(seq);
  const head = line === null ? null : decodeHead(line);
  return head === null || typeof head === 'string' ? undefined : head;
}

interface FoundBlock {
  readonly seq: number;
  readonly blockhash: string;
  readonly isSame: boolean;
}

/** The last block of the slot among these messages: what came before it was reverted. */
async function lastBlockOf(
  log: StepLog,
  { slot, blockhash }: ChainPoint,
  fromSeq: number,
  toSeq: number,
  signal: AbortSignal,
): Promise<FoundBlock | null> {
  const reading = new AbortController();
  const either = AbortSignal.any([signal, reading.signal]);
  let found: FoundBlock | null = null;
  for await (const { seq, head: line } of log.follow(fromSeq, {
    headsOnly: true,
    signal: either,
  })) {
    const head = line === null ? null : decodeHead(line);
    if (head !== null && typeof head !== 'string') {
      const { step } = head;
      if (step.kind === 'facts' && step.slot === slot) {
        found = { seq, blockhash: step.blockhash, isSame: step.blockhash === blockhash };
      }
    }
    if (seq >= toSeq) reading.abort();
  }
  return found;
}

/** The slot before the first block that the log has; blocks come before they are final. */
async function slotBefore(log: StepLog, { firstSeq, lastSeq }: LogBounds): Promise<number | null> {
  const toSeq = Math.min(lastSeq, firstSeq + BACK);
  for (let seq = firstSeq; seq <= toSeq; seq++) {
    const step = (await headAt(log, seq))?.step;
    if (step?.kind === 'facts') return step.parentSlot;
  }
  return null;
}
