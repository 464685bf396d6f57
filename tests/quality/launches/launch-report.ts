import { fixed, tableLines } from '../../../bench/table.ts';
import { intervalOfShare } from '../judge/judged-figure.ts';
import type { ControlFigures, LaunchFigures } from './judge-launches.ts';

/** A share of recorded launches or wallets; all or none of them is asked for. */
export interface LaunchRow {
  readonly what: string;
  readonly hits: number;
  readonly of: number;
  readonly wanted: 'all' | 'none';
  readonly isMet: boolean;
}

export function launchRows({ controls, ...figures }: LaunchFigures): LaunchRow[] {
  return [
    row('bundled launches found in their slot', figures.found, figures.launches, 'all'),
    row('wallets of their bundles named', figures.membersNamed, figures.members, 'all'),
    row('other buyers of their slots named', figures.outsidersNamed, figures.outsiders, 'none'),
    ...controls.map(({ what, launches, found }: ControlFigures) =>
      row(`without a bundle, found: ${what}`, found, launches, 'none'),
    ),
  ];
}

/** Nothing that was judged is never met. */
function row(what: string, hits: number, of: number, wanted: LaunchRow['wanted']): LaunchRow {
  return { what, hits, of, wanted, isMet: of > 0 && hits === (wanted === 'all' ? of : 0) };
}

/** The report as Markdown. */
export function launchReport(figures: LaunchFigures): string {
  const confidence = figures.confidence?.map((one) => fixed(one, 2)).join(' to ') ?? 'none';
  return `${[
    '# Recorded launches',
    'Written by `npm run quality:launches`, of recorded data that is not part of the project (`MINTSCOPE_TEST_DATA`): launches of pump.fun whose collector checked their bundles transaction by transaction, and recorded transactions that create a token. A launch is judged by the purchases of its slot, their order and their sizes: what paid the wallets is not among the data.',
    tableLines([
      ['what', 'wanted', 'measured', '95 of 100', 'met'],
      ...launchRows(figures).map(({ what, hits, of, wanted, isMet }) => [
        ...[what, wanted, `${hits} of ${of}`],
        of === 0
          ? '-'
          : intervalOfShare(hits / of, of)
              .map((one) => fixed(one, 3))
              .join(' to '),
        isMet ? 'yes' : 'NO',
      ]),
    ]).join('\n'),
    `Confidence of the bundles found: ${confidence}.`,
    "What the labels call a wallet of a bundle is one that bought in the bundle's block. Where one is not named, it is a fifth buyer that stands dozens to hundreds of transactions behind the others and pays a quarter of what they pay; most of these wallets are labelled as outside buyers of other launches.",
    'Launches without a bundle are of two kinds. In the first, the labelled launches are judged as if their bundles had not bought: what remains is who really bought outside them, one or two wallets for each. In the second, creator and first buyers are of one transaction. Both are easy: no recorded data has launches into which many strangers bought at once, so that innocent crowds are judged on simulated ones alone (docs/quality/fraud.md).',
  ].join('\n\n')}\n`;
}
