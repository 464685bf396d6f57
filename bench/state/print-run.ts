import { fixed, integer, printTable } from '../table.ts';
import type { BytesPerWallet } from './footprint.ts';
import type { MeasuredPart } from './measured-part.ts';
import type { RunSample } from './measured-run.ts';
import { FOLLOWED_SLOT_MS } from './run-order.ts';
import type { CheckpointCost, TimesOfSlots } from './slot-times.ts';

const CLOCKED: readonly (readonly [name: string, of: (times: TimesOfSlots) => number])[] = [
  ['applying a slot, p50, ms', ({ p50Ms }) => p50Ms],
  ['p99, ms', ({ p99Ms }) => p99Ms],
  ['longest, ms', ({ longestMs }) => longestMs],
  ['processor time, mean, ms', ({ meanProcessorMs }) => meanProcessorMs],
  ['processor time, p99, ms', ({ p99ProcessorMs }) => p99ProcessorMs],
  ['checkpoint after it, p99, ms', ({ checkpointP99Ms }) => checkpointP99Ms],
  ['longest, ms', ({ checkpointLongestMs }) => checkpointLongestMs],
  ['processor time, longest, ms', ({ checkpointLongestProcessorMs: ms }) => ms],
];

export function printSamples(taken: readonly RunSample[]): void {
  printTable('after so many swaps, with the speed since the line before', [
    [
      'swaps',
      'launches',
      'wallets',
      'swaps/s',
      'per processor-s',
      'cold',
      'read back',
      'VmRSS MiB',
      'RssAnon MiB',
    ],
    ...taken.map((sample) => [
      integer(sample.swaps),
      integer(sample.launches),
      integer(sample.wallets),
      integer(sample.swapsPerSecond),
      integer(sample.swapsPerProcessorSecond),
      percent(sample.coldSwaps / sample.appliedSwaps),
      sample.loadedPages === null ? 'unknown' : integer(sample.loadedPages),
      integer(sample.residentMiB),
      integer(sample.anonymousMiB),
    ]),
  ]);
}

/** The part of a run from which the last line is. */
export function printPart(part: MeasuredPart): void {
  const { swaps, swapsPerSecond, swapsPerProcessorSecond, coldShare, loadedPagesPerSwap } = part;
  printTable(`measured: the last ${integer(swaps)} swaps`, [
    ['measure', 'value'],
    ['swaps a second', integer(swapsPerSecond)],
    ['swaps a second of the processor', integer(swapsPerProcessorSecond)],
    ['swaps on mints that were not traded for an hour', percent(coldShare)],
    [
      'pages and objects read back from files, a swap',
      loadedPagesPerSwap === null ? 'unknown' : fixed(loadedPagesPerSwap, 3),
    ],
  ]);
}

/** `swapsPerSlot`: of the market, on average. */
export function printCost(cost: CheckpointCost, swapsPerSlot: number): void {
  const { writing, idle, waiting, waitingWithout } = cost;
  printTable('slots while a checkpoint is written, and the others', [
    ['measure', 'written', 'others'],
    ['slots', integer(writing.slots), integer(idle.slots)],
    ...CLOCKED.map(([name, of]) => [name, fixed(of(writing), 1), fixed(of(idle), 1)]),
  ]);
  const perSecond = 1_000 / FOLLOWED_SLOT_MS;
  printTable(
    `checkpoints at ${perSecond} slots and ${integer(swapsPerSlot * perSecond)} swaps a second, by processor time`,
    [
      ['measure', 'value'],
      ['processor time, of that of applying', percent(cost.shareOfFold)],
      ['of a core', percent(cost.shareOfCore)],
      ['with that by which slots are slower meanwhile', percent(cost.shareOfCoreWithSlowerSlots)],
      ['calculated from it: slots that wait for the one before', integer(waiting.slots)],
      ['longest wait, ms', fixed(waiting.longestMs, 1)],
      ['if checkpoints took no time: slots that wait', integer(waitingWithout.slots)],
      ['longest wait, ms', fixed(waitingWithout.longestMs, 1)],
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
