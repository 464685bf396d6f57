import type { BodyOf } from '../../../api/client.ts';
import type { FigureKind } from '../../../ui/figure.tsx';

type Point = BodyOf<'/v1/indicators/historic'>['indicators'][number];

export interface IndicatorLine {
  readonly field: keyof Point;
  readonly name: string;
  /** One line that explains the figure. */
  readonly text: string;
  readonly kind: FigureKind | 'seconds';
  readonly isRight?: boolean;
}

export interface IndicatorGroup {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly IndicatorLine[];
  /** What current figures and buckets differ in. */
  readonly note?: string;
}

/** The figures of a pool in the groups in which they are compared. */
// biome-ignore format: one line a figure
export const GROUPS: readonly IndicatorGroup[] = [
  {
    id: 'wallets',
    title: 'Wallets: people and bots',
    lines: [
      { field: 'total_wallets', name: 'All wallets', kind: 'amount', text: 'Wallets that have traded in this pool.' },
      { field: 'organic_wallets', name: 'Organic', kind: 'amount', text: 'Those that nothing says are automated or coordinated.' },
      { field: 'raw_holders', name: 'Holders', kind: 'amount', text: 'Owners that hold more than dust, without pools.' },
      { field: 'organic_to_total_wallets_ratio', name: 'Organic share', kind: 'percent', isRight: true, text: 'Organic wallets of all: people attract people, bots do not.' },
    ],
  },
  {
    id: 'volumes',
    title: 'Volume',
    note: 'Lines are what was traded in each interval; the figures are of all time.',
    lines: [
      { field: 'total_volume_usd', name: 'All', kind: 'usd', text: 'Everything that was traded in this pool.' },
      { field: 'organic_volume_usd', name: 'Organic', kind: 'usd', text: 'What organic wallets traded.' },
      { field: 'organic_volume_ratio', name: 'Organic share', kind: 'percent', isRight: true, text: 'Low while wallets are many: bots make the volume.' },
    ],
  },
  {
    id: 'profits',
    title: 'Profits',
    lines: [
      { field: 'organic_profitable_wallets', name: 'In profit', kind: 'amount', text: 'Organic wallets whose position gained, sold or not.' },
      { field: 'profitable_organic_to_total_organic_ratio', name: 'Share in profit', kind: 'percent', isRight: true, text: 'Near 100 % all could sell at a gain, near 0 % all would at a loss.' },
      { field: 'profitable_volume_total_volume_ratio', name: 'Share of volume', kind: 'percent', isRight: true, text: 'Of the volume, what wallets in profit traded.' },
    ],
  },
  {
    id: 'holding',
    title: 'Holding time',
    lines: [
      { field: 'organic_mean_hold_seconds', name: 'Held', kind: 'seconds', text: 'How long organic wallets hold on average, open positions too.' },
      { field: 'organic_mean_trade_frequency_seconds', name: 'Between trades', kind: 'seconds', text: 'Mean time between two trades of one organic wallet.' },
    ],
  },
  {
    id: 'smart',
    title: 'Smart money',
    lines: [
      { field: 'smart_money_influx_10min', name: 'In, 10 minutes', kind: 'usd', text: 'Purchases of smart wallets in ten minutes, weighted by their record.' },
      { field: 'smart_money_outflux_10min', name: 'Out, 10 minutes', kind: 'usd', text: 'Their sales in ten minutes.' },
      { field: 'smart_money_score', name: 'Score', kind: 'amount', isRight: true, text: 'From 0 to 100: how much of the token wallets with a good record hold.' },
      { field: 'smart_holders', name: 'Smart holders', kind: 'amount', isRight: true, text: 'Holders with at least ten earlier tokens and a good record in them.' },
    ],
  },
];

/** The fields that the charts need. */
export const FIELDS = GROUPS.flatMap(({ lines }) => lines.map(({ field }) => field)).join(',');

export type { Point };
