import { fixed, integer, tableLines } from '../../../bench/table.ts';
import type { AblationRow } from './compare-runs.ts';

/**
 * The report as Markdown; the first row is of the whole. `scenarios` are those that were played, null
 * for all.
 */
export function ablationReport(
  rows: readonly AblationRow[],
  seeds: readonly string[],
  scenarios: readonly string[] | null = null,
): string {
  const [whole, ...others] = rows;
  const played =
    scenarios === null
      ? 'every attack at every difficulty and every innocent family'
      : scenarios.map((name) => `\`${name}\``).join(', ');
  return `${[
    '# What each amendment of the links adds',
    'Written by `npm run quality:ablation`: one amendment at a time is taken out of a copy of the source, and the same simulated runs are judged. These are training seeds: rules were chosen on them, so that this says what a rule does there, and nothing of what it is worth elsewhere.',
    `Seeds: ${seeds.map((seed) => `\`${seed}\``).join(', ')}, each played for ${played}: ${integer(whole?.runs ?? 0)} runs for each row. A run is changed when a score, a wallet or a time of its findings differs.`,
    tableLines([
      [
        ...['taken out', 'then', 'runs changed', 'found, easy and medium', 'found, hard'],
        ...['wallets (Jaccard)', 'innocent runs found'],
      ],
      ...rows.map(rowOf),
    ]).join('\n'),
    ...others.map(differencesText),
    'A row without a change says that no scenario of the simulator needs the amendment, not that the chain does not: these rest on hand-computed cases (`monotone-links.test.ts`, `close-payment.test.ts`, `copy-traders.test.ts`, `prior-bundles.test.ts`, `change-sweeps.test.ts`, `bundle-mates.test.ts`, `token-chains.test.ts`, `launch-window.test.ts`).',
  ].join('\n\n')}\n`;
}

function rowOf({ name, without, changed, found, jaccard, innocentFound }: AblationRow): string[] {
  return [
    ...[name, without, integer(changed), ...found.map(share), share(jaccard)],
    integer(innocentFound),
  ];
}

function differencesText({ name, changed, differences }: AblationRow): string {
  if (changed === 0) return `\`${name}\`: nothing changes.`;
  if (differences.length === 0) return `\`${name}\`: no mean changes by 0.01 or more.`;
  return `\`${name}\`: ${differences.join('; ')}.`;
}

function share(value: number | null): string {
  return value === null ? '-' : fixed(value, 3);
}
