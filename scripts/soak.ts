/**
 * Lets the service follow a chain at mainnet's pace for long, records its memory and answers every
 * few seconds, and reports the growth of its memory in the last half with the error.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Beginning, beginStretch, endStretch } from '../bench/live-figures.ts';
import { nowMs } from '../bench/live-node.ts';
import { parseLiveOptions, SHARED_HELP } from '../bench/live-options.ts';
import { printProfiles } from '../bench/live-profile.ts';
import {
  SoakFile,
  type SoakSample,
  type SoakSummary,
  summarise,
  toSoakSample,
} from '../bench/live-soak-samples.ts';
import { LEAD_BLOCKS, LiveStage } from '../bench/live-stage.ts';
import type { Trend } from '../bench/live-statistics.ts';
import { TAPE_SLOT_MS } from '../bench/live-tape.ts';
import { fixed, integer, printTable } from '../bench/table.ts';

const HELP = `Follows a simulated chain of mainnet's pace for long and watches the service's memory.
Samples go to a CSV file, a line every few seconds.

  --minutes <number>   how long is watched (60)
  --every <seconds>    between two samples (5)
  --ahead <blocks>     made before it begins; the others are made beside it, at low priority (3000);
                       0 makes all of them first
  --out <file>         where samples go (soak.csv)
${SHARED_HELP}

The blocks of an hour take about 11 GB of disk and 30 to 45 minutes of a processor: --tape keeps
them.
Delays are those of the service alone once all blocks are made.

Examples:
  npm run soak -- --minutes 60 --tape /var/tmp/mintscope-tape
  npm run soak -- --minutes 5 --out /tmp/soak.csv --json`;

const SETTLE_MS = 60_000;
const SPARE_SECONDS = 20;
const PROFILE_TOP = 10;
const BLOCKS_PER_SECOND = 1_000 / TAPE_SLOT_MS;
/** Data about older slots is forgotten, so that the watcher does not grow either. */
const KEPT_SLOTS = 1_000;

const options = parseLiveOptions({ minutes: 60, every: 5, ahead: 3_000 }, HELP);
const outFile = options.out ?? 'soak.csv';
const seconds = SETTLE_MS / 1_000 + options.warmupSeconds + options.minutes * 60 + SPARE_SECONDS;
const stage = await LiveStage.open({
  tapeFolder: options.tapeFolder,
  plan: { ...options.plan, blocks: LEAD_BLOCKS + seconds * BLOCKS_PER_SECOND },
  ...(options.ahead > 0 && { blocksAhead: options.ahead }),
  profileDir: options.profileDir,
  service: { settings: options.settings },
  onNote: (sentence) => console.error(sentence),
});
const file = new SoakFile(outFile);
try {
  const { samples, voids } = await soak();
  await stage.stopService();
  report(summarise(samples), voids);
} finally {
  await file.close();
  stage.close();
}

async function soak(): Promise<{ readonly samples: SoakSample[]; readonly voids: string[] }> {
  await stage.read(options.readsPerSecond);
  stage.node.order({ kind: 'play' });
  if (!(await stage.settle(SETTLE_MS))) {
    console.error('The service did not reach the head of the chain at the start.');
  }
  await sleep(options.warmupSeconds * 1_000);
  const samples: SoakSample[] = [];
  const voids: string[] = [];
  const startMs = nowMs();
  let beginning: Beginning = await beginStretch(stage);
  for (let taken = 1; taken * options.every <= options.minutes * 60; taken++) {
    await sleep(Math.max(0, startMs + taken * options.every * 1_000 - nowMs()));
    stage.assertRuns();
    const figures = await endStretch(stage, beginning);
    beginning = { atMs: beginning.atMs + figures.seconds * 1_000, sample: figures.last };
    if (figures.void !== null) voids.push(figures.void);
    const sample = toSoakSample(figures, (nowMs() - startMs) / 1_000);
    samples.push(sample);
    file.add(sample);
    forget();
  }
  return { samples, voids };
}

function forget(): void {
  const slot = (stage.watch.visibleSlot ?? 0) - KEPT_SLOTS;
  stage.node.forgetBefore(slot);
  stage.watch.forgetBefore(slot);
}

function report(summary: SoakSummary, voids: readonly string[]): void {
  if (options.isJson) console.log(JSON.stringify({ ...summary, voidSamples: voids.length }));
  else {
    printTable(`Soak of ${fixed(summary.seconds / 60, 1)} min; samples in ${outFile}`, [
      ['measure', 'value'],
      ['resident memory grew in the last half, MiB/h', trendText(summary.rss)],
      ["heap of the API's thread grew, MiB/h", trendText(summary.heap)],
      ['heaps with what is free in them grew, MiB/h', trendText(summary.heapReserved)],
      ['buffers grew, MiB/h', trendText(summary.buffers)],
      [
        'resident, last / most, MiB',
        `${integer(summary.rssMibLast)} / ${integer(summary.rssMibMax)}`,
      ],
      ['resident, its other processes, most, MiB', integer(summary.othersRssMibMax)],
      ['lag, most, slots', integer(summary.lagSlotsMax)],
      [
        'produced → visible p99, median / worst sample, ms',
        `${fixed(summary.visibleP99MsMedian, 0)} / ${fixed(summary.visibleP99MsMax, 0)}`,
      ],
      [
        'hot reads p99, median / worst sample, ms',
        `${fixed(summary.readP99MsMedian, 1)} / ${fixed(summary.readP99MsMax, 1)}`,
      ],
      [
        'failed reads, unseen slots, open gaps',
        [summary.failedReads, summary.unseenSlots, summary.openGaps].map(integer).join(', '),
      ],
    ]);
  }
  const [reason] = voids;
  if (reason !== undefined) {
    console.error(`\nVOID: ${voids.length} of ${summary.samples} samples; the first: ${reason}.`);
    process.exitCode = 1;
  }
  if (options.profileDir !== null) printProfiles(options.profileDir, PROFILE_TOP);
}

function trendText({ slope, standardError }: Trend): string {
  return `${fixed(slope, 1)} ± ${fixed(standardError, 1)} (standard error)`;
}
