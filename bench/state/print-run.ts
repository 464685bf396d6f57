import { fixed, integer, printTable } from '../table.ts';
import type { BytesPerWallet } from './footprint.ts';
import type { RunSample } from './measured-run.ts';
import { FOLLOWED_SLOT_MS } from './run-order.ts';
import type { CheckpointCost } from './slot-times.ts';

export function printSamples(taken: readonly RunSample[]): void {
  printTable('after so many swaps, with the speed since the line before', [
    ['swaps', 'launches', 'wallets', 'swaps/s', 'per processor-s', 'VmRSS MiB', 'RssAnon MiB'],
    ...taken.map((sample) => [
      integer(sample.swaps),
      integer(sample.launches),
      integer(sample.wallets),
      integer(sample.swapsPerSecond),
      integer(sample.swapsPerProcessorSecond),
      integer(sample.residentMiB),
      integer(sample.anonymousMiB),
    ]),
  ]);
}

/** `swapsPerSlot`: of the market, on average. */
export function printCost(cost: CheckpointCost, swapsPerSlot: number): void {
  const { writing, idle, waiting, waitingWithout } = cost;
  const ms = (value: number) => fixed(value, 1);
  printTable('slots while a checkpoint is written, and the others', [
    ['measure', 'written', 'others'],
    ['slots', integer(writing.slots), integer(idle.slots)],
    ['applying a slot, p50, ms', ms(writing.p50Ms), ms(idle.p50Ms)],
    ['p99, ms', ms(writing.p99Ms), ms(idle.p99Ms)],
    ['longest, ms', ms(writing.longestMs), ms(idle.longestMs)],
    ['processor time, mean, ms', ms(writing.meanProcessorMs), ms(idle.meanProcessorMs)],
    ['checkpoint after it, p99, ms', ms(writing.checkpointP99Ms), ms(idle.checkpointP99Ms)],
    ['longest, ms', ms(writing.checkpointLongestMs), ms(idle.checkpointLongestMs)],
  ]);
  const perSecond = 1_000 / FOLLOWED_SLOT_MS;
  printTable(
    `checkpoints at ${perSecond} slots a second, ${integer(swapsPerSlot * perSecond)} swaps a second`,
    [
      ['measure', 'value'],
      ['processor time, of that of applying', percent(cost.shareOfFold)],
      ['of a core', percent(cost.shareOfCore)],
      ['with that by which slots are slower meanwhile', percent(cost.shareOfCoreWithSlowerSlots)],
      ['slots that wait for the one before (calculated)', integer(waiting.slots)],
      ['longest wait, ms', ms(waiting.longestMs)],
      ['without checkpoints: slots that wait', integer(waitingWithout.slots)],
      ['longest wait, ms', ms(waitingWithout.longestMs)],
    ],
  );
}

export function printPerWallet({ memory, disk, files }: BytesPerWallet): void {
  printTable('bytes a wallet with one swap, its 200th part of a mint included', [
    ['where', 'bytes'],
    ['pages and objects in memory', memory === null ? 'some are on disk' : integer(memory)],
    ['records and their index on disk', integer(disk)],
    ['all files, earlier checkpoints among them', integer(files)],
  ]);
}

export function percent(share: number): string {
  return `${fixed(share * 100, 2)} %`;
}
