import { formatCompact } from '../../../format/numbers.ts';
import type { Finding } from '../token-types.ts';

/** Trillions are the last that have a letter. */
const LONG_EXPONENT = 15;

interface FeatureName {
  readonly name: string;
  readonly unit?: 'share' | 'count' | 'seconds' | 'exponent';
}

type Names = Readonly<Record<string, FeatureName>>;

const FUNDING: FeatureName = { name: 'Paid by one source', unit: 'share' };
const FRESH: FeatureName = { name: 'New wallets', unit: 'share' };
const ATOMICITY: FeatureName = { name: 'Placed together' };
const RECIDIVISM: FeatureName = { name: 'Earlier bundled launches', unit: 'count' };
const LINK: FeatureName = { name: 'Linked by other evidence' };

/** Measured features in words of people; why each counts is in the detector's table. */
const NAMES: Readonly<Record<Finding['fraud_type'], Names>> = {
  traditional_bundle: {
    share: { name: 'Share of the supply', unit: 'share' },
    wallets: { name: 'Wallets', unit: 'count' },
    atomicity: ATOMICITY,
    funding: FUNDING,
    fresh: FRESH,
    contiguity: { name: 'In a row with the creation', unit: 'share' },
    recidivism: RECIDIVISM,
    disclosed: { name: 'Locked or sold to a list', unit: 'share' },
  },
  late_bundle: {
    share: { name: 'Share of the supply', unit: 'share' },
    wallets: { name: 'Wallets', unit: 'count' },
    burst: { name: 'So many buyers at once by chance', unit: 'exponent' },
    atomicity: ATOMICITY,
    funding: FUNDING,
    fresh: FRESH,
    sizes: { name: 'Odd sizes alike', unit: 'share' },
    recidivism: RECIDIVISM,
    attention: { name: 'A public event drew others' },
    copying: { name: 'Copied one leader' },
  },
  bundle_and_launder: {
    rebuy: { name: 'Bought back', unit: 'share' },
    flow: { name: 'Proceeds paid for the purchase', unit: 'share' },
    atomicity: ATOMICITY,
    delay: { name: 'Delay of the purchase', unit: 'seconds' },
    artificial: { name: 'Of the volume then', unit: 'share' },
    hidden: { name: 'Buyers concealed', unit: 'share' },
    fresh: FRESH,
    link: LINK,
    quickProfit: { name: 'Unlinked dip traders' },
  },
  fake_dump: {
    drop: { name: 'Fall of the price', unit: 'share' },
    rebuy: { name: 'Bought back', unit: 'share' },
    discount: { name: 'Discount gained', unit: 'share' },
    link: LINK,
    visible: { name: 'Visible seller' },
    induced: { name: 'Panic of others' },
    maker: { name: 'Looks like a market maker' },
    marketMove: { name: 'The whole market fell' },
  },
  coordinated_exit: {
    exit: { name: 'Of their holdings sold', unit: 'share' },
    supply: { name: 'Share of the supply', unit: 'share' },
    sync: { name: 'Sold at once by chance', unit: 'exponent' },
    drain: { name: "Of the pool's money taken", unit: 'share' },
    fall: { name: 'Fall of the price', unit: 'share' },
    liquidity: { name: 'Liquidity removed', unit: 'share' },
    link: LINK,
  },
  wash_volume: {
    share: { name: "Of the day's volume", unit: 'share' },
    churn: { name: 'Bought and sold again', unit: 'share' },
    uneconomic: { name: 'Only fees were lost' },
    funding: FUNDING,
    regularity: { name: 'Regular as a program' },
    atomic: { name: 'Bought and sold at once', unit: 'share' },
    loop: { name: 'SOL went in a circle', unit: 'share' },
    arbitrage: { name: 'Looks like arbitrage' },
    maker: { name: 'Looks like a market maker' },
  },
};

/** The name of a feature; the service's own word for one that is not listed. */
export function featureName(type: Finding['fraud_type'], feature: string): string {
  return NAMES[type][feature]?.name ?? feature;
}

/** A measured value or a threshold in the unit of its feature. */
export function writeMeasure(
  type: Finding['fraud_type'],
  feature: string,
  value: number | null,
): string {
  if (value === null) return 'not known';
  const unit = NAMES[type][feature]?.unit;
  if (unit === 'share') return `${round(value * 100, 1)}%`;
  if (unit === 'count') return String(round(value, 2));
  if (unit === 'seconds') return `${round(value, 1)} s`;
  if (unit === 'exponent') return writeChance(value);
  return String(round(value, 3));
}

/** A chance of 1 in 10 to the power: `1 in 13.5B`. */
function writeChance(exponent: number): string {
  if (!(exponent >= 0 && exponent < LONG_EXPONENT)) return `1 in 10^${round(exponent, 1)}`;
  return `1 in ${formatCompact(BigInt(Math.round(10 ** exponent)).toString())}`;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
