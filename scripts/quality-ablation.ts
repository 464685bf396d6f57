/**
 * Takes one rule at a time out of copies of the working tree, judges the same simulated fraud runs
 * in each, and reports what changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { printTable } from '../bench/table.ts';
import { TreeCopy } from '../tests/mutants/tree-copy.ts';
import type { Ablation } from '../tests/quality/ablations/ablation.ts';
import { ablationReport } from '../tests/quality/ablations/ablation-report.ts';
import { type AblationRow, ablationRow } from '../tests/quality/ablations/compare-runs.ts';
import { ABLATIONS } from '../tests/quality/ablations/registry.ts';
import { plansOf } from '../tests/quality/fraud-quality.ts';
import { type FraudPlan, type FraudRun, nameOf } from '../tests/quality/fraud-run.ts';

const RUNS = 4;
const HELP = `Reports what each amendment of the links adds, on training seeds.

  --runs <number>  seeds of each attack and difficulty and of each innocent family (${RUNS})
  --first <number>  of the seeds (1)
  --jobs <number>  copies that are judged at a time (2)
  --scenarios <a,b>  what is played, by the names of docs/quality/fraud.md (of each
                   amendment what it concerns)
  --only <a,b>     amendments: ${ABLATIONS.map(({ name }) => name).join(', ')} (all)
  --from <a,b>     plays nothing, and joins what earlier runs wrote with --json into one report
  --out <file>     writes the report as Markdown
  --json           writes the rows to standard output as JSON, instead of a table
  --help           this text

Examples:
  npm run quality:ablation -- --out docs/quality/ablations.md
  npm run quality:ablation -- --runs 8 --only token-chains --scenarios fresh-sellers,wallet-movers
  npm run quality:ablation -- --only token-chains --json > build/token-chains.json
  npm run quality:ablation -- --from build/token-chains.json --out docs/quality/ablations.md`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: String(RUNS) },
    first: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    from: { type: 'string' },
    only: { type: 'string' },
    scenarios: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const ROOT = resolve(import.meta.dirname, '..');
const WHOLE: Ablation = { name: 'nothing', without: '', scenarios: [], edits: [] };
type FraudThread = typeof import('../tests/quality/fraud-thread.ts');

/** Judges plans in a copy of the tree without one rule. Throws Error when it does not fit. */
async function judgeWithout(ablation: Ablation, plans: readonly FraudPlan[]): Promise<FraudRun[]> {
  const tree = new TreeCopy(ROOT);
  try {
    tree.edit(ablation.edits);
    const path = join(tree.path, 'tests/quality/fraud-thread.ts');
    const { judgeOnThread }: FraudThread = await import(path);
    const judged: FraudRun[] = [];
    await judgeOnThread(plans, (run) => {
      judged.push(run);
    });
    console.error(`${ablation.name}: done`);
    return judged;
  } finally {
    tree.remove();
  }
}

/** The plans of an amendment. */
type PlansOf = (ablation: Ablation) => readonly FraudPlan[];

async function judgeAll(ablations: readonly Ablation[], plansFor: PlansOf, jobs: number) {
  const judged = new Map<Ablation, FraudRun[]>();
  const waiting = [...ablations];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      judged.set(next, await judgeWithout(next, plansFor(next)));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return judged;
}

/** Plays what the options ask for; null, said so, if they name something that does not exist. */
async function play(): Promise<readonly AblationRow[] | null> {
  const [runs, jobs, first] = [values.runs, values.jobs, values.first].map(Number);
  const names = values.only?.split(',');
  const chosen = ABLATIONS.filter(({ name }) => names?.includes(name) ?? true);
  const isCount = (value: number | undefined): value is number =>
    Number.isInteger(value) && Number(value) > 0;
  const asked = values.scenarios?.split(',') ?? null;
  if (!(isCount(runs) && isCount(jobs) && isCount(first))) return null;
  const all = plansOf('training', runs, runs, first);
  const isUnknown = asked?.some((name) => !all.some((plan) => nameOf(plan) === name));
  const isOther = names?.some((name) => !chosen.some((one) => one.name === name));
  if (isUnknown === true || isOther === true) return null;
  const plansFor: PlansOf = ({ scenarios }) => {
    const played = asked ?? scenarios;
    return all.filter((plan) => played.includes(nameOf(plan)));
  };
  const wholePlans = all.filter((plan) => chosen.some((one) => plansFor(one).includes(plan)));
  const plans: PlansOf = (one) => (one === WHOLE ? wholePlans : plansFor(one));
  const judged = await judgeAll([WHOLE, ...chosen], plans, jobs);
  const whole = judged.get(WHOLE) ?? [];
  return chosen.map((one) => {
    const own = new Set(plansFor(one));
    return ablationRow(
      one,
      whole.filter((_, place) => own.has(wholePlans[place] as FraudPlan)),
      judged.get(one) ?? [],
    );
  });
}

/** The rows that earlier runs wrote. */
function readRows(paths: string): readonly AblationRow[] {
  return paths
    .split(',')
    .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as readonly AblationRow[]);
}

async function main(): Promise<void> {
  const rows = values.from === undefined ? await play() : readRows(values.from);
  if (rows === null) {
    console.error('Wanted: whole numbers from 1 on, and amendments and scenarios that exist.');
    process.exitCode = 2;
    return;
  }
  if (values.out !== undefined) writeFileSync(values.out, ablationReport(rows));
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else {
    printTable('Amendments taken out', [
      ['taken out', 'runs', 'changed', 'innocent found'],
      ...rows.map(({ name, runs, changed, left }) => [
        name,
        ...[runs, changed, left.innocentFound].map(String),
      ]),
    ]);
  }
}

if (values.help) console.log(HELP);
else await main();
