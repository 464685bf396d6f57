/**
 * Fits the maps from raw scores to confidence on training seeds and writes them for the detectors.
 * Exits with 1 when maps would turn too many innocent runs into findings, or one into a critical one.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  CALIBRATION,
  type Calibration,
  calibrate,
  parseCalibration,
} from '../src/fraud/scoring/calibration.ts';
import { FRAUD_TYPES, type FraudType } from '../src/model/fraud.ts';
import { chooseMap } from '../tests/quality/choose-map.ts';
import type { JudgedScore } from '../tests/quality/fit-calibration.ts';
import { CRITICAL_MIN, plansOf } from '../tests/quality/fraud-quality.ts';
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
/** Part of innocent runs that may have a finding (METHODS §7.10). */
const ALARMS_MAX = 0.005;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '18' },
    version: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

/** The highest score of each run of the type and of each innocent one. */
function scoresOf(runs: readonly FraudRun[], type: FraudType): readonly JudgedScore[] {
  return runs.flatMap(({ plan, found }): JudgedScore[] => {
    const isTrue = plan.type === type;
    const own = found.find(({ fraudType }) => fraudType === type);
    if (own === undefined || (!isTrue && plan.difficulty !== null)) return [];
    return [{ rawScore: own.rawScore, isTrue, weight: 1 }];
  });
}

/** How many innocent runs have a finding of this confidence with the maps. */
function countInnocent(
  runs: readonly FraudRun[],
  calibration: Calibration,
  leastConfidence: number,
): number {
  return runs.filter(
    ({ plan, found }) =>
      plan.difficulty === null &&
      found.some(
        ({ fraudType, rawScore }) => calibrate(fraudType, rawScore, calibration) >= leastConfidence,
      ),
  ).length;
}

async function main(): Promise<void> {
  const runs: FraudRun[] = [];
  await judgeOnThread(plansOf('training', Number(values.runs)), (run) => {
    runs.push(run);
  });
  const maps = Object.fromEntries(
    FRAUD_TYPES.map((type) => {
      const current = CALIBRATION.maps[type];
      const { points, isNew, error } = chooseMap(scoresOf(runs, type), INNOCENT[type], current);
      console.log(`${type}: ${isNew ? 'fitted' : 'kept'}, calibration error ${error.toFixed(4)}`);
      return [type, points];
    }),
  );
  const table = { version: Number(values.version), maps };
  const calibration = parseCalibration(table);
  const innocent = runs.filter(({ plan }) => plan.difficulty === null).length;
  const alarms = countInnocent(runs, calibration, FOUND_MIN);
  const critical = countInnocent(runs, calibration, CRITICAL_MIN);
  console.log(`${alarms} of ${innocent} innocent runs found, ${critical} of them critical`);
  if (alarms > ALARMS_MAX * innocent || critical > 0) process.exitCode = 1;
  const lines = Object.entries(maps).map(
    ([type, points]) => `    "${type}": ${JSON.stringify(points).replaceAll(',', ', ')}`,
  );
  const text = `{\n  "version": ${table.version},\n  "maps": {\n${lines.join(',\n')}\n  }\n}\n`;
  if (process.exitCode !== 1) writeFileSync(OUT, text);
}

if (values.help) console.log(HELP);
else await main();
