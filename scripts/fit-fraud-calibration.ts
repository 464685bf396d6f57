/**
 * Fits the maps from raw scores to confidence on training seeds and writes them for the detectors.
 * Exits with 1 when a map would turn an innocent example into a finding.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calibrate, parseCalibration } from '../src/fraud/scoring/calibration.ts';
import { FRAUD_TYPES, type FraudType } from '../src/model/fraud.ts';
import { fitCalibration, type JudgedScore } from '../tests/quality/fit-calibration.ts';
import { plansOf } from '../tests/quality/fraud-quality.ts';
import { FOUND_MIN, type FraudRun } from '../tests/quality/fraud-run.ts';
import { judgeOnThread } from '../tests/quality/fraud-thread.ts';

const OUT = new URL('../src/fraud/scoring/calibration.json', import.meta.url);
const HELP = `Fits the maps from raw scores to confidence on training seeds.

  --runs <number>     seeds of each type and difficulty and of each innocent family (18)
  --version <number>  of the maps: another one is stored with every classification from then on (1)
  --help              this text

Afterwards "npx biome check --write src/fraud/scoring/calibration.json" puts it into the usual form.

Example:
  node scripts/fit-fraud-calibration.ts --version 2`;

/**
 * Raw scores of innocent worked examples, which must stay below a finding: those of METHODS §7.3 to
 * §7.8, and two of the detectors' tests: linked wallets that bought in a sale to a list (N16), and
 * one person with two wallets who trades a swing (§7.6).
 */
const INNOCENT: Readonly<Record<FraudType, readonly number[]>> = {
  traditional_bundle: [0.244, 0.341],
  late_bundle: [0.127, 0.395],
  bundle_and_launder: [0.109],
  fake_dump: [0.126, 0.259],
  coordinated_exit: [0.08, 0.141],
  wash_volume: [0.021, 0.029],
};
/** Number of runs that a worked example counts for. */
const EXAMPLE_RUNS = 3;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '18' },
    version: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

/** The highest score of each run of the type and of each innocent one, and the worked examples. */
function scoresOf(runs: readonly FraudRun[], type: FraudType): readonly JudgedScore[] {
  const judged = runs.flatMap(({ plan, found }): JudgedScore[] => {
    const isTrue = plan.type === type;
    const own = found.find(({ fraudType }) => fraudType === type);
    if (own === undefined || (!isTrue && plan.difficulty !== null)) return [];
    return [{ rawScore: own.rawScore, isTrue, weight: 1 }];
  });
  const examples = INNOCENT[type].map((rawScore) => ({
    rawScore,
    isTrue: false,
    weight: EXAMPLE_RUNS,
  }));
  return [...judged, ...examples];
}

async function main(): Promise<void> {
  const runs: FraudRun[] = [];
  await judgeOnThread(plansOf('training', Number(values.runs)), (run) => {
    runs.push(run);
  });
  const scores = new Map(FRAUD_TYPES.map((type) => [type, scoresOf(runs, type)]));
  const maps = Object.fromEntries(
    [...scores].map(([type, judged]) => [type, fitCalibration(judged)]),
  );
  const table = { version: Number(values.version), maps };
  const calibration = parseCalibration(table);
  for (const [type, judged] of scores) {
    const innocent = judged.filter(({ isTrue }) => !isTrue).map(({ rawScore }) => rawScore);
    const highest = calibrate(type, Math.max(...innocent), calibration);
    console.log(`${type}: the highest of ${innocent.length} innocent scores becomes ${highest}`);
    if (highest >= FOUND_MIN) process.exitCode = 1;
  }
  const lines = Object.entries(maps).map(
    ([type, points]) => `    "${type}": ${JSON.stringify(points).replaceAll(',', ', ')}`,
  );
  const text = `{\n  "version": ${table.version},\n  "maps": {\n${lines.join(',\n')}\n  }\n}\n`;
  if (process.exitCode !== 1) writeFileSync(OUT, text);
}

if (values.help) console.log(HELP);
else await main();
