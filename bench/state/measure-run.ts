import { fixed, integer, printTable } from '../table.ts';
import { assertCold } from './cold-swaps.ts';
import { folderBytes, restartAfter, runUntilKilled } from './killed-run.ts';
import { printCost, printPart, printPerWallet, printSamples } from './print-run.ts';
import { type ReferenceKind, referenceDigest, referenceKindOf } from './reference-digest.ts';
import type { RunMeasures, RunOrder } from './run-order.ts';
import { stateFolderOf } from './state-subject.ts';

/** The last line of a run. Null: not measured. */
export interface RunResult {
  readonly swaps: number;
  readonly residentMiB: number;
  /** The same after a full collection: the rest is garbage that V8 has not collected yet. */
  readonly collectedMiB: number | null;
  /** In the measured part: the last twentieth, with cold mints the last half. */
  readonly foldedPerSecond: number | null;
  /** From the start of a process after a kill to the first row, and to the slot of the kill. */
  readonly restartMs: number;
  readonly toEndMs: number;
  readonly digestEqual: boolean | null;
  /** Of the engine with the digest that is compared: it is bounded too for very many swaps. */
  readonly reference: ReferenceKind | null;
  /** Share of the measured swaps on mints that were not traded for an hour. */
  readonly coldSwaps: number | null;
  /** Pages and objects brought back from files, in the same part. */
  readonly loadedPagesPerSwap: number | null;
  readonly checkpointShareOfCore: number | null;
  readonly slotP99MsWriting: number | null;
  readonly slotP99MsIdle: number | null;
  /** Of the state after the restart, and written by the run. */
  readonly diskMiB: number;
  readonly writtenMiBPerMillionSwaps: number | null;
  readonly memoryBytesPerWallet: number | null;
  readonly diskBytesPerWallet: number | null;
}

const BYTES_PER_MIB = 2 ** 20;

/** Runs an order until it is killed, starts again, prints tables, and returns the last line. */
export async function measureRun(order: RunOrder, isCompared: boolean): Promise<RunResult> {
  const reported: RunMeasures[] = [];
  const killedAt = await runUntilKilled(order, (measures) => {
    reported.push(measures);
    printMeasures(measures, order);
  });
  const [measures] = reported;
  if (measures === undefined) throw new Error('the process of the run measured nothing');
  assertCold(order.options, measures.part);
  const restart = await restartAfter({ ...order, killedAt });
  const { restartMs, restartProcessorMs, toEndMs, appliedProcessorMs, slots, digest } = restart;
  const diskMiB = folderBytes(stateFolderOf(order.folder)) / BYTES_PER_MIB;
  printTable(`killed with SIGKILL after ${integer(killedAt.swaps)} swaps, started again`, [
    ['measure', 'value'],
    ['slots after the newest checkpoint', integer(slots)],
    ['process start → first row, s', fixed(restartMs / 1_000, 2)],
    ['processor time until then, s', fixed(restartProcessorMs / 1_000, 2)],
    ['process start → the slots are applied, s', fixed(toEndMs / 1_000, 1)],
    ['processor time of applying them, s', fixed(appliedProcessorMs / 1_000, 1)],
    ['files of the state, MiB', integer(diskMiB)],
  ]);
  const { options, stateMemoryBytes } = order;
  const reference = { options, swaps: killedAt.swaps, stateMemoryBytes: 2 * stateMemoryBytes };
  const { cost, perWallet, part, writtenMiBPerMillionSwaps: written } = measures;
  const { memory = null, disk = null } = perWallet ?? {};
  return {
    swaps: measures.swaps,
    residentMiB: Math.round(measures.residentMiB),
    collectedMiB: rounded(measures.collectedMiB),
    foldedPerSecond: rounded(part?.swapsPerSecond ?? null),
    restartMs: Math.round(restartMs),
    toEndMs: Math.round(toEndMs),
    digestEqual: isCompared ? digest === referenceDigest(reference) : null,
    reference: isCompared ? referenceKindOf(killedAt.swaps) : null,
    coldSwaps: rounded(part?.coldShare ?? null, 3),
    loadedPagesPerSwap: rounded(part?.loadedPagesPerSwap ?? null, 3),
    checkpointShareOfCore: rounded(cost?.shareOfCore ?? null, 4),
    slotP99MsWriting: rounded(cost?.writing.p99Ms ?? null, 1),
    slotP99MsIdle: rounded(cost?.idle.p99Ms ?? null, 1),
    diskMiB: Math.round(diskMiB),
    writtenMiBPerMillionSwaps: rounded(written),
    memoryBytesPerWallet: rounded(memory),
    diskBytesPerWallet: rounded(disk),
  };
}

function printMeasures(measures: RunMeasures, { options }: RunOrder): void {
  const { samples, part, cost, perWallet, writtenMiBPerMillionSwaps: written } = measures;
  printSamples(samples);
  if (part !== null) printPart(part);
  if (cost !== null) printCost(cost, options.swapsPerSlot);
  if (perWallet !== null) printPerWallet(perWallet);
  if (written !== null) {
    console.log(`\nwritten for a million swaps: ${integer(written)} MiB`);
  }
  console.log(`\ncontradictions ${JSON.stringify(measures.contradictions)}`);
}

function rounded(value: number | null, digits = 0): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
