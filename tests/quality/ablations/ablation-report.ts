import { fixed, integer, tableLines } from '../../../bench/table.ts';
import type { AblationFigures, AblationRow } from './compare-runs.ts';

/**
 * The report as Markdown, of rows of one run or of several: each names what was played for it, and its
 * figures with and without the rule are of the same runs.
 */
export function ablationReport(rows: readonly AblationRow[]): string {
  return `${[
    '# What each amendment of the links adds',
    'Written by `npm run quality:ablation`: one amendment at a time is taken out of a copy of the source, and the same simulated runs are judged: those of the attacks that it concerns, and of the innocent people who look like them. These are training seeds: rules were chosen on them, so that this says what a rule does there, and nothing of what it is worth elsewhere. A run is changed when a score, a wallet or a time of its findings differs. Rows may have been measured at different times: compare the figures of a row with each other only.',
    tableLines([
      ['taken out', 'then', 'scenarios', 'seeds'],
      ...rows.map(({ name, without, scenarios, seeds }) => [
        ...[name, without, scenariosText(scenarios), seedsText(seeds)],
      ]),
    ]).join('\n'),
    'With the amendment, and without it:',
    tableLines([
      [
        ...['taken out', 'runs', 'runs changed', 'found, easy and medium', 'found, hard'],
        ...['wallets (Jaccard)', 'innocent runs found'],
      ],
      ...rows.map(rowOf),
    ]).join('\n'),
    ...rows.map(differencesText),
    'A row without a change says that no run which was played needs the amendment, not that the chain does not: these rest on hand-computed cases (`monotone-links.test.ts`, `close-payment.test.ts`, `copy-traders.test.ts`, `prior-bundles.test.ts`, `change-sweeps.test.ts`, `bundle-mates.test.ts`, `token-chains.test.ts`, `launch-window.test.ts`, `coordinated-exit.test.ts`, `late-bundle.test.ts`).',
  ].join('\n\n')}\n`;
}

function rowOf({ name, runs, changed, whole, left }: AblationRow): string[] {
  const both = (of: (figures: AblationFigures) => string) => `${of(whole)}, ${of(left)}`;
  return [
    ...[name, integer(runs), integer(changed)],
    both(({ found }) => share(found[0])),
    both(({ found }) => share(found[1])),
    both(({ jaccard }) => share(jaccard)),
    both(({ innocentFound }) => integer(innocentFound)),
  ];
}

/** More are not read one by one. */
const SCENARIOS_NAMED = 8;

function scenariosText(scenarios: readonly string[]): string {
  return scenarios.length > SCENARIOS_NAMED
    ? `${scenarios.length} scenarios`
    : scenarios.map((scenario) => `\`${scenario}\``).join(', ');
}

/** Seeds follow each other: the first and the last one say all. */
function seedsText(seeds: readonly string[]): string {
  const [first, last] = [seeds[0] ?? '', seeds.at(-1) ?? ''];
  return first === last ? `\`${first}\`` : `\`${first}\` … \`${last}\``;
}

function differencesText({ name, changed, whole, left, differences }: AblationRow): string {
  if (changed === 0) return `\`${name}\`: nothing changes.`;
  const [before, after] = [whole.innocentFound, left.innocentFound];
  const all = [
    ...differences,
    ...(before === after ? [] : [`innocent runs found ${before} to ${after}`]),
  ];
  return `\`${name}\`: ${all.length === 0 ? 'no mean changes by 0.01 or more' : all.join('; ')}.`;
}

function share(value: number | null): string {
  return value === null ? '-' : fixed(value, 3);
}
