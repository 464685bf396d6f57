import { createHash } from 'node:crypto';
import { blockText } from '../simulator/faces/format-block.ts';
import { toChainBlock } from '../simulator/faces/to-chain-block.ts';
import type { ChainStep } from '../simulator/market/world.ts';
import { createSimulation, type Simulation } from '../simulator/simulation.ts';
import type { SimulationConfig } from '../simulator/simulation-config.ts';
import { PRESETS } from '../simulator/simulation-presets.ts';
import { decodeBlock } from '../src/decoders/decode-block.ts';
import { fixed, integer, printTable } from './table.ts';

/** Slots before the measurement, while the market fills up, and timed slots. */
const SLOTS = {
  market: { warmup: 1_500, timed: 4_000 },
  busy: { warmup: 150, timed: 250 },
} as const;

const DECODED_SLOTS = 10_000;
/** Gives a run of that length some 300 launches, without those of attacks and look-alikes. */
const DECODED_LAUNCHES_PER_HOUR = 300;

const SAMPLE_EVERY = 100_000;
const MIB = 1_048_576;

/** Uses of a block. Each returns a number, so that no work is optimised away. */
const FORMS = [
  { name: 'generated', use: ({ block }: ChainStep) => block.transactions.length },
  {
    name: 'and as the blocks a source yields',
    use: ({ block }: ChainStep) => toChainBlock(block).voteCount,
  },
  { name: 'and as base64 text', use: ({ block }: ChainStep) => blockText(block, 'base64').length },
  { name: 'and as json text', use: ({ block }: ChainStep) => blockText(block, 'json').length },
] as const;

/** Speed of the simulated market, whether all of it decodes, and the memory of a long run. */
export async function benchSimulator(transactions: number): Promise<void> {
  for (const name of ['market', 'busy'] as const) benchSpeed(name);
  benchDecoding();
  await benchLongRun(transactions);
}

function benchSpeed(name: keyof typeof SLOTS): void {
  const { warmup, timed } = SLOTS[name];
  const rows = FORMS.map((form) => {
    const simulation = createSimulation(PRESETS[name]);
    for (let passed = 0; passed < warmup; passed++) simulation.step();
    return [form.name, ...timeSlots(simulation, timed, form.use)];
  });
  printTable(`simulated market "${name}", ${integer(timed)} slots, per second of one core`, [
    ['block', 'transactions/s', 'without votes/s', 'µs a transaction', 'a block'],
    ...rows,
  ]);
}

function timeSlots(
  simulation: Simulation,
  slots: number,
  use: (step: ChainStep) => number,
): string[] {
  let [all, blocks, used] = [0, 0, 0];
  let votes = 0;
  const start = process.cpuUsage();
  for (let passed = 0; passed < slots; passed++) {
    const step = simulation.step();
    if (step === null) continue;
    used += use(step);
    blocks++;
    all += step.block.transactions.length;
    for (const { isVote } of step.block.transactions) if (isVote) votes++;
  }
  const seconds = processorSeconds(start);
  if (!Number.isFinite(used)) throw new Error('a block came to nothing');
  return [
    integer(all / seconds),
    integer((all - votes) / seconds),
    fixed((seconds * 1e6) / all, 1),
    fixed(all / blocks, 1),
  ];
}

/**
 * Processor time of all threads, garbage collection included: other load on the machine does not
 * count.
 */
function processorSeconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** All products of a market, attacks and look-alikes included, through the decoders. */
function benchDecoding(): void {
  const config: SimulationConfig = {
    ...PRESETS.market,
    launchesPerHour: DECODED_LAUNCHES_PER_HOUR,
    laterSlotMs: 250,
    laterFromSlot: PRESETS.market.firstSlot + DECODED_SLOTS / 2,
  };
  const simulation = createSimulation(config);
  const counts = { unknown: 0, malformed: 0, quarantined: 0 };
  let [transactions, decodeSeconds] = [0, 0];
  for (let passed = 0; passed < DECODED_SLOTS; passed++) {
    const step = simulation.step();
    if (step === null) continue;
    const block = toChainBlock(step.block);
    const start = process.cpuUsage();
    const { outcomes } = decodeBlock(block);
    decodeSeconds += processorSeconds(start);
    transactions += block.transactions.length;
    for (const { unknown, malformed, quarantined } of Object.values(outcomes)) {
      counts.unknown += unknown;
      counts.malformed += malformed;
      counts.quarantined += quarantined;
    }
  }
  const { launches, labels } = simulation.truth;
  printTable(`${integer(DECODED_SLOTS)} simulated slots through the decoders`, [
    [
      'launches',
      'attacks',
      'look-alikes',
      'transactions',
      ...Object.keys(counts),
      'decoded/s of a core',
    ],
    [
      ...[launches.length, labels.attacks.length, labels.benign.length, transactions].map(integer),
      ...Object.values(counts).map(integer),
      integer(transactions / decodeSeconds),
    ],
  ]);
}

/**
 * Checks whether the memory of a long-running market grows. Needs --expose-gc, as `npm run bench`
 * sets it.
 */
async function benchLongRun(transactions: number): Promise<void> {
  const simulation = createSimulation(PRESETS.busy);
  const digest = createHash('sha256');
  const rows: string[][] = [];
  const start = process.cpuUsage();
  let made = 0;
  let votes = 0;
  while (made < transactions) {
    const step = simulation.step();
    if (step === null) continue;
    const before = made;
    digest.update(step.block.blockhash);
    made += step.block.transactions.length;
    for (const { isVote } of step.block.transactions) if (isVote) votes++;
    if (Math.floor(made / SAMPLE_EVERY) === Math.floor(before / SAMPLE_EVERY)) continue;
    const seconds = processorSeconds(start);
    rows.push(await sampleOf(simulation, made, votes, seconds));
  }
  printTable(`one long run of the market "busy", ending in ${digest.digest('hex').slice(0, 16)}`, [
    [
      'transactions',
      'of them votes',
      'slots',
      's of a core',
      'heap MiB',
      'resident MiB',
      'accounts',
      'launches',
      'wallets',
    ],
    ...rows,
  ]);
}

async function sampleOf(
  { world, truth }: Simulation,
  made: number,
  votes: number,
  seconds: number,
): Promise<string[]> {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc();
  await new Promise((next) => setImmediate(next));
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return [
    integer(made),
    integer(votes),
    integer(world.slot - PRESETS.busy.firstSlot),
    integer(seconds),
    integer(heapUsed / MIB),
    integer(rss / MIB),
    integer(world.chain.ledger.size),
    integer(truth.launches.length),
    integer(truth.labels.wallets.size),
  ];
}
