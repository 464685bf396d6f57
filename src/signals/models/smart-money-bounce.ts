import { organicBuyShare, priceRatio, ratio } from '../features/features.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { Features, SignalModel } from '../features/signal-model.ts';
import type { WindowReading } from '../features/window-reading.ts';
import table from './smart-money-bounce.json' with { type: 'json' };

/** A rise from a low at which smart wallets bought (METHODS §6.1). */
export const smartMoneyBounce: SignalModel = {
  name: 'smart_money_bounce',
  card: {
    pattern:
      'The price is 15 to 60 % above a low of the last hour that was at least 30 % below ' +
      'the six-hour high; since that low smart money of at least two clusters bought, and ' +
      'organic wallets buy more than they sell.',
    rationale: 'The reversal has begun and is supported by wallets that are often right.',
    lookAlikes: [
      'A dead-cat bounce: without smart money, or with an outflux of more than half of the ' +
        'influx.',
      'A low that is still falling: within the minute of the low there are no trades after ' +
        'it.',
    ],
  },
  parameters: parseModelParameters(table),
  measure: ({ window }) => {
    const low = window.hourLow;
    const since = low === null ? 0 : window.minutesSince(low.minuteMs);
    return {
      lowToSixHourHigh: priceRatio(low?.price ?? null, window.sixHourHigh),
      priceToLow: priceRatio(window.close, low?.price ?? null),
      organicBuyShareSinceLow: organicBuyShare(window, since),
      ...smartSince(window, since),
    };
  },
};

/** Smart-money features of the minutes after that of the low. */
function smartSince(window: WindowReading, minutes: number): Features {
  const moves = window.smartMoves(minutes);
  const influxUsd = moves.reduce((sum, { boughtUsd }) => sum + boughtUsd, 0);
  const outfluxUsd = moves.reduce((sum, { soldUsd }) => sum + soldUsd, 0);
  return {
    smartBuyersSinceLow: window.smartBuyers(minutes),
    smartNetUsdSinceLow: influxUsd - outfluxUsd,
    smartInfluxToOutfluxSinceLow: ratio(influxUsd, outfluxUsd),
  };
}
