/**
 * Runs the service against failing nodes, kills it, and says seed by seed whether what it stored in
 * the end is what a calm run stores. Exits with 1 where anything differs.
 */
import { parseArgs } from 'node:util';
import { fixed, integer, printTable } from '../bench/table.ts';
import { runStorm, type StormResult } from '../tests/chaos/run-storm.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: process.env.MINTSCOPE_CHAOS_SEEDS ?? '3' },
    kills: { type: 'string', default: '8' },
    'no-gap': { type: 'boolean', default: false },
  },
});

/** A count stands for the seeds 1, 2 and so on; otherwise a list with commas. */
function seedsOf(text: string): string[] {
  if (!/^\d+$/.test(text)) return text.split(',');
  return Array.from({ length: Number(text) }, (_, index) => String(index + 1));
}

function rowOf(result: StormResult): string[] {
  return [
    result.seed,
    `${integer(result.faults)} (${result.faultKinds} kinds)`,
    integer(result.kills),
    integer(result.undos),
    integer(result.undoneSlots),
    result.gapNamedMs === null ? '-' : `${fixed(result.gapNamedMs / 1_000, 1)} s`,
    result.gapNamedMs === null ? '-' : result.isGapClosed ? 'yes' : 'no',
    integer(result.slots),
    integer(result.trades),
    result.digest === result.calmDigest ? 'yes' : 'NO',
    result.differences.length === 0 ? 'yes' : 'NO',
    fixed(result.seconds, 1),
  ];
}

const HEADER = [
  'seed',
  'faults injected',
  'kills',
  'forks left',
  'slots undone',
  'gap named after',
  'gap closed',
  'slots',
  'trades',
  'digest equal',
  'rows, sums, cursor, ledger equal',
  'seconds',
];

const results: StormResult[] = [];
for (const seed of seedsOf(values.seeds)) {
  const options = { seed, kills: Number(values.kills), hasGap: !values['no-gap'] };
  const result = await runStorm(options);
  results.push(result);
  for (const difference of result.differences) console.log(`seed ${seed}: ${difference}`);
  console.log(`seed ${seed}: ${fixed(result.seconds, 1)} s`);
}
printTable('Storms', [HEADER, ...results.map(rowOf)]);
if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
