/**
 * Plays simulated attacks through decoders and engine and compares the organic volume of their pools
 * with the labels. Exits with 1 when fewer pools than required are within 5 %.
 */
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { FRAUD_TYPES } from '../src/model/fraud.ts';
import {
  isRight,
  type MeasuredVolume,
  measureVolumes,
  type PoolVolume,
  ratioOf,
  shareRight,
} from '../tests/quality/organic-volume.ts';

const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
const WANTED = 0.95;
const HELP = `Compares the organic volume of pools with crews with the truth of simulated attacks.

  --held-back      runs seeds that no rule was chosen on, instead of training seeds
  --seeds <n>      runs of each attack and difficulty (4)
  --json           writes every pool to standard output as JSON
  --help           this text

Ends with 1 when fewer than 95 % of the pools are within 5 %. A seed takes about a minute.

Example:
  npm run quality:organic-volume -- --held-back --seeds 1`;

const { values } = parseArgs({
  options: {
    'held-back': { type: 'boolean', default: false },
    seeds: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function measureAll(set: string, seeds: number): PoolVolume[] {
  const pools: PoolVolume[] = [];
  for (const type of FRAUD_TYPES) {
    for (const difficulty of DIFFICULTIES) {
      for (let at = 1; at <= seeds; at++) {
        pools.push(...measureVolumes({ type, difficulty, seed: `organic-${set}-${at}` }));
      }
      console.error(`${type}, ${difficulty}: done`);
    }
  }
  return pools;
}

function row(name: string, volumes: readonly MeasuredVolume[]): string[] {
  const ratios = volumes.map(ratioOf).filter((ratio) => ratio !== null);
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(3) ?? '-';
  const right = shareRight(volumes);
  return [
    name,
    String(volumes.length),
    right === null ? '-' : right.toFixed(3),
    ...[at(0.05), at(0.5), at(0.95), at(1)],
  ];
}

function afterFinding(pools: readonly PoolVolume[]): MeasuredVolume[] {
  return pools.flatMap(({ afterFinding: after }) =>
    after === null || after.total === 0n ? [] : [after],
  );
}

function main(): void {
  const seeds = Number(values.seeds);
  if (!(Number.isInteger(seeds) && seeds > 0)) {
    console.error('Wanted: a whole number of seeds from 1 on.');
    process.exitCode = 2;
    return;
  }
  const pools = measureAll(values['held-back'] ? 'held-back' : 'training', seeds);
  if (values.json) {
    const text = JSON.stringify(pools, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    console.log(text);
  }
  const found = pools.filter(({ foundSlot }) => foundSlot !== null);
  printTable('Organic volume over the truth, pools with crews', [
    ['', 'pools', 'within 5 %', '5th', 'median', '95th', 'most'],
    row(
      'current figure, all pools',
      pools.map(({ current }) => current),
    ),
    row(
      'current figure, crew found',
      found.map(({ current }) => current),
    ),
    row(
      'by class at the trade, all pools',
      pools.map(({ asTraded }) => asTraded),
    ),
    row('by class at the trade, after the finding', afterFinding(pools)),
    ...FRAUD_TYPES.map((type) =>
      row(
        `current figure, ${type}`,
        pools.filter(({ plan }) => plan.type === type).map(({ current }) => current),
      ),
    ),
  ]);
  const all = pools.map(({ current }) => current);
  if (all.filter(isRight).length < WANTED * all.length) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else main();
