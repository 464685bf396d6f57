/**
 * Takes one rule at a time out of copies of the working tree, judges the same simulated fraud runs
 * in each, and reports what changes.
 */
import { writeFileSync } from 'node:fs';
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
  --jobs <number>  copies that are judged at a time (2)
  --scenarios <a,b>  what is played, by the names of docs/quality/fraud.md (all)
  --only <a,b>     amendments: ${ABLATIONS.map(({ name }) => name).join(', ')} (all)
  --out <file>     writes the report as Markdown
  --json           writes the rows to standard output as JSON, instead of a table
  --help           this text

Examples:
  npm run quality:ablation -- --out docs/quality/ablations.md
  npm run quality:ablation -- --runs 8 --only token-chains --scenarios fresh-sellers,wallet-movers`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: String(RUNS) },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string' },
    scenarios: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const ROOT = resolve(import.meta.dirname, '..');
const WHOLE: Ablation = { name: 'nothing', without: '', edits: [] };
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

async function judgeAll(ablations: readonly Ablation[], plans: readonly FraudPlan[], jobs: number) {
  const judged = new Map<Ablation, FraudRun[]>();
  const waiting = [...ablations];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      judged.set(next, await judgeWithout(next, plans));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return judged;
}

async function main(): Promise<void> {
  const [runs, jobs] = [Number(values.runs), Number(values.jobs)];
  const names = values.only?.split(',');
  const chosen = ABLATIONS.filter(({ name }) => names?.includes(name) ?? true);
  const isCount = (value: number) => Number.isInteger(value) && value > 0;
  const scenarios = values.scenarios?.split(',') ?? null;
  const plans = plansOf('training', isCount(runs) ? runs : 0).filter(
    (plan) => scenarios?.includes(nameOf(plan)) ?? true,
  );
  const isUnknown = scenarios?.some((name) => !plans.some((plan) => nameOf(plan) === name));
  if (!isCount(jobs) || plans.length === 0 || isUnknown === true || chosen.length === 0) {
    console.error('Wanted: whole numbers from 1 on, and amendments and scenarios that exist.');
    process.exitCode = 2;
    return;
  }
  const judged = await judgeAll([WHOLE, ...chosen], plans, jobs);
  const whole = judged.get(WHOLE) ?? [];
  const rows = [WHOLE, ...chosen].map((one): AblationRow => {
    return ablationRow(one, whole, judged.get(one) ?? []);
  });
  const seeds = [...new Set(whole.map(({ plan }) => plan.seed))];
  if (values.out !== undefined) writeFileSync(values.out, ablationReport(rows, seeds, scenarios));
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else {
    printTable('Amendments taken out', [
      ['taken out', 'runs', 'changed', 'innocent found'],
      ...rows.map((row) => [row.name, ...[row.runs, row.changed, row.innocentFound].map(String)]),
    ]);
  }
}

if (values.help) console.log(HELP);
else await main();
