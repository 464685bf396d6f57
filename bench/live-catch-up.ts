import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from './live-node.ts';
import type { LiveStage } from './live-stage.ts';
import { TAPE_SLOT_MS } from './live-tape.ts';

/** Reads while catching up, only to observe the progress. */
const READS_PER_SECOND = 20;
const REACHED_LAG_SLOTS = 1;

export interface CatchUp {
  /** Blocks from its first answer to the chain's head, including those produced meanwhile. */
  readonly blocks: number;
  /** From its first answer, and from the start of the process. */
  readonly seconds: number;
  readonly secondsFromStart: number;
  readonly blocksPerSecond: number;
  /** As a multiple of the chain's pace. */
  readonly timesRealTime: number;
  /** False when it did not reach the head in time: then the figures are those so far. */
  readonly isReached: boolean;
}

/**
 * Stops the service, lets `blocks` pass at once, starts the service on its stored data and follows
 * it to the chain's head, which continues at its pace.
 */
export async function measureCatchUp(
  stage: LiveStage,
  blocks: number,
  timeoutMs: number,
): Promise<CatchUp> {
  const { node, watch } = stage;
  await stage.stopService();
  node.order({ kind: 'pause' });
  node.order({ kind: 'jump', blocks });
  node.order({ kind: 'play' });
  const startMs = nowMs();
  const deadlineMs = startMs + timeoutMs;
  stage.restartService();
  await stage.read(READS_PER_SECOND);
  while (watch.visibleSlot === null && nowMs() < deadlineMs) await sleep(1);
  const firstMs = nowMs();
  const firstSlot = watch.visibleSlot ?? Number.NaN;
  let isReached = false;
  while (!isReached && nowMs() < deadlineMs) {
    stage.service.assertRuns();
    isReached = watch.lagSlots !== null && watch.lagSlots <= REACHED_LAG_SLOTS;
    await sleep(1);
  }
  const endMs = nowMs();
  const taken = (watch.visibleSlot ?? Number.NaN) - firstSlot;
  const seconds = (endMs - firstMs) / 1_000;
  return {
    blocks: taken,
    seconds,
    secondsFromStart: (endMs - startMs) / 1_000,
    blocksPerSecond: taken / seconds,
    timesRealTime: (taken / seconds) * (TAPE_SLOT_MS / 1_000),
    isReached,
  };
}
