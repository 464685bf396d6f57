/**
 * Runs all quality reports and prints one table: what is asked for, what was measured, its interval
 * and its seeds, with training, held-back, adversarial and recorded parts apart.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { printTable, tableLines } from '../bench/table.ts';
import { type JudgedFigure, PARTS, type Part } from '../tests/quality/judge/judged-figure.ts';
import { readPage } from '../tests/quality/judge/read-page.ts';
import { REPORTS, type ReportRun } from '../tests/quality/judge/report-runs.ts';

const NAMES = [...new Set(REPORTS.map(({ report }) => report))];
const HELP = `Runs the quality reports and judges them in one table.

  --only <a,b>     reports to run: ${NAMES.join(', ')} (all)
  --part <part>    only what is measured on one part: ${PARTS.join(', ')}
  --quick          few seeds: says whether everything runs, and nothing about quality
  --from <folder>  runs nothing, and reads what the reports wrote with --json, as far as it is there:
                   fraud-training.json, fraud-held-back.json, sentiment-recorded.json and so on
  --keep <file>    rows of reports that are not run here are kept from this table
  --out <file>     writes the table as Markdown
  --json           writes the rows to standard output as JSON, instead of a table
  --help           this text

Takes about an hour of a processor; with --quick some minutes. Ends with 1 when a number is missed on
a part that nothing was chosen on. Reports that need recorded data say so and are left out without
it (MINTSCOPE_TEST_DATA).

Examples:
  npm run quality -- --out docs/quality/summary.md
  npm run quality -- --only fraud --part adversarial
  npm run quality -- --only launches --keep docs/quality/summary.md --out docs/quality/summary.md
  npm run quality:fraud -- --json --out docs/quality/fraud.md > build/fraud-held-back.json
  npm run quality -- --from build --out docs/quality/summary.md`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    part: { type: 'string' },
    quick: { type: 'boolean', default: false },
    from: { type: 'string' },
    keep: { type: 'string' },
    out: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The figures of a report that wrote its JSON earlier; null, said so, if it did not. */
function figuresFrom(folder: string, run: ReportRun): readonly JudgedFigure[] | null {
  const name = `${run.report}-${run.parts[0]?.replace(' ', '-')}.json`;
  const path = join(folder, name);
  if (existsSync(path)) return run.read(JSON.parse(readFileSync(path, 'utf8')));
  console.error(`${name} is not there: left out.`);
  return null;
}

/** The figures of a report; null if it was skipped. Throws Error if it failed to run. */
async function figuresOf(run: ReportRun): Promise<readonly JudgedFigure[] | null> {
  const args = [`scripts/quality-${run.report}.ts`, ...run.args(values.quick), '--json'];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout);
  // 1 says that a number is missed, which is for the table to show.
  const code = await ended;
  if (code !== 0 && code !== 1) throw new Error(`${args.join(' ')} ended with ${code}`);
  return output.trim() === '' ? null : run.read(JSON.parse(output));
}

const HEADER = ['report', 'what', 'wanted', 'measured', '95 of 100', 'seeds', 'met'];

function cellsOf({ report, what, wanted, measured, interval, seeds, isMet }: JudgedFigure) {
  const met = isMet === null ? '' : isMet ? 'yes' : 'NO';
  return [report, what, wanted ?? '', measured, interval?.join(' to ') ?? '', seeds, met];
}

function tablesOf(figures: readonly JudgedFigure[]): [part: Part, rows: string[][]][] {
  return PARTS.flatMap((part): [Part, string[][]][] => {
    const own = figures.filter((figure) => figure.part === part);
    return own.length === 0 ? [] : [[part, [HEADER, ...own.map(cellsOf)]]];
  });
}

function isMissed({ part, isMet }: JudgedFigure): boolean {
  return part !== 'training' && isMet === false;
}

function pageOf({ figures, leftOut }: Judged): string {
  const asked = figures.filter(({ part, isMet }) => part !== 'training' && isMet !== null);
  const missed = asked.filter(isMissed).length;
  const sections = tablesOf(figures).flatMap(([part, rows]) => [
    `## ${part[0]?.toUpperCase()}${part.slice(1)}`,
    tableLines(rows).join('\n'),
  ]);
  return `${[
    '# Quality in one table',
    'Written by `npm run quality`. Rules may be chosen on training seeds, so figures there are no result; nothing is chosen on seeds that are held back. Adversarial cases are made by somebody who knows the rules. Everything but the recorded part is measured on markets that the project simulates itself. The reports beside this page say how. A measured figure without an interval is a mean, a percentile or an error, whose number of runs is in the report.',
    `Of ${asked.length} numbers that are asked for outside of training, ${missed} are missed.`,
    ...(leftOut.length === 0 ? [] : [`Not run for this table: ${leftOut.join('; ')}.`]),
    ...sections,
  ].join('\n\n')}\n`;
}

interface Wanted {
  readonly reports: readonly string[];
  /** Null for all. */
  readonly part: Part | null;
}

/** What the options ask for; null if they name something that does not exist. */
function wantedOf({ only, part: partText }: typeof values): Wanted | null {
  const reports = only?.split(',') ?? NAMES;
  const part = PARTS.find((known) => known === partText) ?? null;
  const isKnown = reports.every((name) => NAMES.includes(name));
  return isKnown && (partText === undefined || part !== null) ? { reports, part } : null;
}

interface Judged {
  readonly figures: readonly JudgedFigure[];
  /** Reports, with their parts, of which there is no result. */
  readonly leftOut: readonly string[];
}

function nameOf({ report, parts }: ReportRun): string {
  return `${report}, ${parts.join(' and ')}`;
}

async function judge({ reports, part }: Wanted): Promise<Judged> {
  const figures: JudgedFigure[] = [];
  const leftOut: string[] = [];
  for (const run of REPORTS) {
    if (!reports.includes(run.report) || (part !== null && !run.parts.includes(part))) continue;
    const name = nameOf(run);
    if (values.from === undefined) console.error(name);
    const own = values.from === undefined ? await figuresOf(run) : figuresFrom(values.from, run);
    if (own === null) leftOut.push(name);
    else figures.push(...own);
  }
  const ofPart = part === null ? figures : figures.filter((figure) => figure.part === part);
  return { figures: ofPart, leftOut };
}

/** What was judged, beside the rows of an earlier table whose reports and parts were not. */
function besideKept({ figures }: Judged, path: string): Judged {
  const has = (own: readonly JudgedFigure[], report: string, parts: readonly Part[]) =>
    own.some((figure) => figure.report === report && parts.includes(figure.part));
  const kept = readPage(readFileSync(path, 'utf8')).filter(
    ({ report, part }) => !has(figures, report, [part]),
  );
  const all = [...kept, ...figures];
  const leftOut = REPORTS.filter(({ report, parts }) => !has(all, report, parts));
  return { figures: all, leftOut: leftOut.map(nameOf) };
}

async function main(): Promise<void> {
  const wanted = wantedOf(values);
  if (wanted === null) {
    console.error(`Wanted: reports of ${NAMES.join(', ')}; a part of ${PARTS.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const own = await judge(wanted);
  const judged = values.keep === undefined ? own : besideKept(own, values.keep);
  const { figures } = judged;
  if (values.out !== undefined) writeFileSync(values.out, pageOf(judged));
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else for (const [title, rows] of tablesOf(figures)) printTable(title, rows);
  if (figures.some(isMissed)) process.exitCode = 1;
}

if (values.help) console.log(HELP);
else await main();
