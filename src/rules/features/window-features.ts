import {
  organicBuyShare,
  organicVolumeUsd,
  priceRatio,
  ratio,
} from '../../signals/features/features.ts';
import type { ModelReading } from '../../signals/features/signal-model.ts';
import type { WindowReading } from '../../signals/features/window-reading.ts';
import { type Feature, featuresOf } from './feature.ts';

const { amount, count, number, numbers, ratio: quotient, share } = featuresOf<ModelReading>();

/** Lengths of time in minutes that end with the minute; the history has 65. */
const SPANS = [1, 5, 10, 15, 30, 60] as const;
const WALLETS_MAX = 50;

/** Of the last minutes of the pool. Minutes without a trade add nothing; prices stay valid. */
export const WINDOW_FEATURES: readonly Feature<ModelReading>[] = [
  ...SPANS.flatMap(spanFeatures),
  quotient('window.price_to_high_6h', 'Price by the highest of six hours.', ({ window }) =>
    priceRatio(window.close, window.sixHourHigh),
  ),
  quotient('window.price_to_low_60m', 'Price by the lowest of an hour.', ({ window }) =>
    priceRatio(window.close, window.hourLow?.price ?? null),
  ),
  quotient(
    'window.low_60m_to_high_6h',
    'Lowest price of an hour by the highest of six.',
    ({ window }) => priceRatio(window.hourLow?.price ?? null, window.sixHourHigh),
  ),
  amount('minutes')(
    'window.minutes_since_low_60m',
    'Since the minute of the lowest price of an hour.',
    ({ window }) => (window.hourLow === null ? null : window.minutesSince(window.hourLow.minuteMs)),
  ),
  amount('USD')(
    'window.usual_organic_volume_usd',
    'Median organic volume of five minutes, over the hour before the last five.',
    ({ window }) => window.usualOrganicUsd,
  ),
  quotient(
    'window.organic_volume_to_usual',
    'Organic volume of five minutes by the usual one, at most 1,000.',
    ({ window }) => ratio(organicVolumeUsd(window, 5), window.usualOrganicUsd),
  ),
  numbers('USD')(
    'window.closes_15m',
    'Closing prices of 15 minutes, newest first; those that are known.',
    ({ window }) => closes(window, 15),
    { itemsMax: 15, cost: 15, range: [0, null] },
  ),
  numbers('USD')(
    'window.volumes_usd_15m',
    'Volume of each of 15 minutes, newest first; unknown if one is.',
    ({ window }) => volumes(window, 15),
    { itemsMax: 15, cost: 15, range: [0, null] },
  ),
  numbers('USD')(
    'window.smart_net_usd_10m',
    'Purchases less sales of each smart wallet in ten minutes, largest first, at most 50.',
    ({ window }) => smartNet(window, 10),
    { itemsMax: WALLETS_MAX, cost: 10 },
  ),
];

function spanFeatures(minutes: number): Feature<ModelReading>[] {
  const of = `of ${minutes} minutes`;
  const name = (figure: string) => `window.${figure}_${minutes}m`;
  return [
    number('share')(
      name('return'),
      `Change of the price over ${minutes} minutes, 0.1 for 10 %.`,
      ({ window }) => returnOf(window, minutes),
      { range: [-1, null] },
    ),
    quotient(
      name('price_to_high'),
      `Price by the highest ${of} before this one.`,
      ({ window }) => priceRatio(window.close, window.highBefore(minutes)),
      { cost: 2 },
    ),
    quotient(name('quote_growth'), `Quote reserve by that ${minutes} minutes ago.`, ({ window }) =>
      ratio(window.quoteAgo(0), window.quoteAgo(minutes)),
    ),
    amount('USD')(name('volume_usd'), `Volume ${of}.`, ({ window }) => window.volumeUsd(minutes)),
    amount('USD')(name('organic_volume_usd'), `Volume of organic wallets ${of}.`, ({ window }) =>
      organicVolumeUsd(window, minutes),
    ),
    share(
      name('organic_volume_share'),
      `Organic part of the volume ${of}.`,
      ({ window }) => ratio(organicVolumeUsd(window, minutes), window.volumeUsd(minutes)),
      { range: [0, null] },
    ),
    share(
      name('organic_buy_share'),
      `Part of purchases in the organic volume ${of}.`,
      ({ window }) => organicBuyShare(window, minutes),
    ),
    count(
      name('organic_buyers'),
      `Unconnected organic wallets that bought in ${minutes} minutes.`,
      ({ window }) => window.organicBuyers(minutes),
      { cost: 5 },
    ),
    count(
      name('smart_buyers'),
      `Unconnected smart wallets that bought more than they sold in ${minutes} minutes.`,
      ({ window }) => window.smartBuyers(minutes),
      { cost: 5 },
    ),
    number('USD')(
      name('smart_net_usd'),
      `Purchases less sales of smart wallets in ${minutes} minutes.`,
      ({ window }) => smartNet(window, minutes).reduce((sum, net) => sum + net, 0),
      { cost: 5 },
    ),
  ];
}

function returnOf(window: WindowReading, minutes: number): number | null {
  const rise = priceRatio(window.close, window.priceAgo(minutes));
  return rise === null ? null : rise - 1;
}

function closes(window: WindowReading, minutes: number): number[] {
  return Array.from({ length: minutes }, (_, ago) => window.priceAgo(ago)).flatMap(
    (price) => price ?? [],
  );
}

function volumes(window: WindowReading, minutes: number): number[] | null {
  const sums = Array.from({ length: minutes + 1 }, (_, ago) =>
    ago === 0 ? 0 : window.volumeUsd(ago),
  );
  const volumes: number[] = [];
  for (let ago = 1; ago <= minutes; ago++) {
    const [longer, shorter] = [sums[ago] ?? null, sums[ago - 1] ?? null];
    if (longer === null || shorter === null) return null;
    volumes.push(longer - shorter);
  }
  return volumes;
}

function smartNet(window: WindowReading, minutes: number): number[] {
  return window
    .smartMoves(minutes)
    .map(({ boughtUsd, soldUsd }) => boughtUsd - soldUsd)
    .sort((one, other) => other - one)
    .slice(0, WALLETS_MAX);
}
