/**
 * Plants known defects one by one in copies of the working tree and runs the tests that must detect
 * each. Ends with the line `N killed, M survived`, and with 1 when one survives.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MutantJudge, type Verdict } from '../tests/mutants/judge-mutant.ts';
import type { Mutant } from '../tests/mutants/mutant.ts';
import { EQUIVALENT, MUTANTS } from '../tests/mutants/registry.ts';
import { TreeCopy } from '../tests/mutants/tree-copy.ts';

const HELP = `Plants known defects and runs the tests that should notice each.

Usage: npm run mutants -- [options]

  --only <name>     only this mutant; may be given several times, a part of the name is enough
  --file <path>     only mutants of files whose path contains this
  --workers <n>     mutants at a time (default: 2, or 1 on one processor)
  --list            prints names, files and harms, and runs nothing
  --json            prints one JSON document at the end instead of lines
  --help            prints this

Examples:
  npm run mutants
  npm run mutants -- --only webhooks-reach-private-addresses
  npm run mutants -- --file src/store --workers 1`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    file: { type: 'string' },
    workers: { type: 'string', default: availableParallelism() > 1 ? '2' : '1' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

interface Judged {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

const ROOT = resolve(import.meta.dirname, '..');

function say(line: string): void {
  if (!values.json) console.log(line);
}

function chosen(): readonly Mutant[] {
  const { only, file = '' } = values;
  return MUTANTS.filter(
    (mutant) =>
      mutant.file.includes(file) &&
      (only.length === 0 || only.some((name) => mutant.name.includes(name))),
  );
}

async function judgeAll(
  trees: readonly TreeCopy[],
  mutants: readonly Mutant[],
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  const waiting = [...mutants];
  const judge = new MutantJudge();
  const work = async (tree: TreeCopy) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const verdict = await judge.judge(tree, mutant);
      judged.push({ mutant, verdict });
      say(`[${judged.length}/${mutants.length}] ${lineOf({ mutant, verdict })}`);
    }
  };
  await Promise.all(trees.map(work));
  return judged;
}

function lineOf({ mutant: { name, file, harm }, verdict }: Judged): string {
  const seconds = `${verdict.seconds.toFixed(1)} s`;
  return verdict.kind === 'killed'
    ? `killed    ${name} (${seconds}) by "${verdict.by}"`
    : `SURVIVED  ${name} (${seconds}) in ${file}: ${verdict.reason}. Harm: ${harm}`;
}

async function run(mutants: readonly Mutant[]): Promise<void> {
  say(`${mutants.length} mutants; the tests of each are first run without it`);
  const startedMs = performance.now();
  const count = Math.max(1, Math.min(Number(values.workers), mutants.length));
  const trees = Array.from({ length: count }, () => new TreeCopy(ROOT));
  const removeTrees = () => {
    for (const tree of trees) tree.remove();
  };
  process.once('exit', removeTrees);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(130));
  const judged = await judgeAll(trees, mutants);
  const survivors = judged.filter(({ verdict }) => verdict.kind === 'survived');
  const seconds = (performance.now() - startedMs) / 1_000;
  const killed = judged.length - survivors.length;
  if (values.json) {
    const entries = judged.map(({ mutant, verdict }) => ({ ...mutant, verdict }));
    console.log(JSON.stringify({ killed, survived: survivors.length, seconds, mutants: entries }));
  }
  for (const survivor of survivors) say(lineOf(survivor));
  say(`${(seconds / 60).toFixed(1)} min, ${EQUIVALENT.length} equivalent ones left out`);
  say(`${killed} killed, ${survivors.length} survived`);
  if (survivors.length > 0) process.exitCode = 1;
}

const mutants = chosen();
if (values.help) console.log(HELP);
else if (mutants.length === 0) {
  console.error('No mutant has such a name or file: see npm run mutants -- --list.');
  process.exitCode = 1;
} else if (values.list && values.json) console.log(JSON.stringify(mutants));
else if (values.list)
  for (const { name, file, harm } of mutants) console.log(`${name}\n  ${file}: ${harm}`);
else await run(mutants);
