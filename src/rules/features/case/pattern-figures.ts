import { LATE_BUNDLE_TABLE } from '../../../fraud/bundles/late-bundle.ts';
import { TRADITIONAL_BUNDLE_TABLE } from '../../../fraud/bundles/traditional-bundle.ts';
import { FAKE_DUMP_TABLE } from '../../../fraud/dumps/fake-dump.ts';
import { COORDINATED_EXIT_TABLE } from '../../../fraud/exits/coordinated-exit.ts';
import { BUNDLE_AND_LAUNDER_TABLE } from '../../../fraud/laundering/bundle-and-launder.ts';
import type { ScoringTable } from '../../../fraud/scoring/score.ts';
import { WASH_VOLUME_TABLE } from '../../../fraud/wash/wash-volume.ts';

/** What a figure of a detector measures. */
export interface Figure {
  readonly unit: string | null;
  readonly range: readonly [least: number, most: number | null];
  /** A sentence. */
  readonly meaning: string;
}

/** The figures that a detector compares, by the name that its findings use. */
export interface PatternFigures {
  readonly table: ScoringTable<string>;
  readonly figures: Readonly<Record<string, Figure>>;
}

const figure =
  (unit: string | null, range: Figure['range']) =>
  (meaning: string): Figure => ({ unit, range, meaning });
const share = figure('share', [0, 1]);
/** A share of something that the case may show only in part, so that it can exceed 1. */
const part = figure('share', [0, null]);
const count = figure('count', [0, null]);
const ratio = figure('ratio', [0, null]);
const improbability = figure('-log10', [0, null]);
const sign = figure(null, [0, 1]);

/** Every figure of the table has a meaning, and nothing else has: the compiler checks it. */
function patternOf<Name extends string>(
  table: ScoringTable<Name>,
  figures: Readonly<Record<Name, Figure>>,
): PatternFigures {
  return { table, figures };
}

const atomicity = sign(
  'How surely the purchases were placed by one hand: 1 in one transaction or under one tip, less in one slot.',
);
const funding = share('Part of the group, by tokens, that was paid by one wallet or its chain.');
const fresh = share('Part of the wallets first seen less than a day before they bought.');
const recidivism = count('Earlier bundled launches of the creator, a funder or the same wallets.');
const link = sign('Strength of the links between the wallets by evidence other than the pattern.');

export const PATTERN_FIGURES: readonly PatternFigures[] = [
  patternOf(TRADITIONAL_BUNDLE_TABLE, {
    share: share('Part of the supply that the group bought in the first half minute.'),
    wallets: count('Wallets of the group.'),
    atomicity,
    funding,
    fresh,
    contiguity: share('Part of the transactions that stand in a row with the creation.'),
    recidivism,
    disclosed: share(
      'Part of the tokens locked for 30 days or more; 1 for a sale to a list before the public.',
    ),
  }),
  patternOf(LATE_BUNDLE_TABLE, {
    share: share('Part of the supply that the burst bought.'),
    wallets: count('Wallets of the burst.'),
    burst: improbability('How improbable so many buyers at once are at the usual rate.'),
    atomicity,
    funding,
    fresh,
    sizes: share('Part of the wallets that spent an odd amount, if all spent nearly the same.'),
    recidivism,
    attention: ratio('Organic buyers in the minute that followed, for each wallet of the burst.'),
    copying: sign('Whether the buyers follow one leader; a case does not show it: unknown.'),
  }),
  patternOf(BUNDLE_AND_LAUNDER_TABLE, {
    rebuy: ratio('Tokens bought back for each token sold.'),
    flow: part('Part of the purchases that the proceeds of the sale paid for.'),
    atomicity,
    delay: figure('seconds', [0, null])('From the last sale to the first purchase.'),
    artificial: part('Part of the volume of that time that the sales and purchases are.'),
    hidden: sign('1 if no buyer was paid by the creator directly, else 0.'),
    fresh,
    link: sign('Strength of the links of buyers with sellers, weighted by tokens.'),
    quickProfit: share(
      'Part of the purchases that unlinked wallets sold at a profit within a minute.',
    ),
  }),
  patternOf(FAKE_DUMP_TABLE, {
    drop: share('Fall of the price from before the dump to its lowest.'),
    rebuy: ratio('Tokens bought back for each token sold.'),
    discount: share('How far the mean price of the purchases is below that of the sales.'),
    link,
    visible: sign('1 if the creator or a large holder sold, else 0.'),
    induced: part('Part of their holdings that organic holders sold meanwhile, net.'),
    maker: sign('1 if the wallets trade as a market maker on the same day, else 0.'),
    marketMove: sign('1 if SOL fell at the same time, else 0.'),
  }),
  patternOf(COORDINATED_EXIT_TABLE, {
    exit: part('Part of its holdings that the group disposed of.'),
    supply: part('Part of the supply that the group held.'),
    sync: improbability(
      'How improbable so many sellers at once are at the rate of holders of similar size.',
    ),
    drain: part('Part of what the pool could pay that the group took.'),
    fall: share('Fall of the price in the exit.'),
    liquidity: part('Largest part of the quote of a pool that members withdrew as liquidity.'),
    link,
  }),
  patternOf(WASH_VOLUME_TABLE, {
    share: share('Part of the volume of a day, in the pools concerned, that cancels out.'),
    churn: share('How close the amounts bought and sold are; 1 when equal.'),
    uneconomic: share('Part of the rounds that cost about the fees.'),
    funding: share('Part of the volume whose wallets have one owner by their payments.'),
    regularity: sign('How regular the purchases are in time, and how odd in size.'),
    atomic: share('Part of the volume bought and sold in one transaction or bundle.'),
    loop: sign('1 if the SOL returns among the wallets for the next round, else 0.'),
    arbitrage: share('Part of the volume that is a leg of a route over several pools.'),
    maker: sign('1 for profit, position or name of a market maker, 0.5 for liquidity alone.'),
  }),
];
