import { priceRatio, ratio, smartFlow } from '../features/features.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { SignalModel } from '../features/signal-model.ts';
import table from './influx-high-on-dip.json' with { type: 'json' };

/** Smart wallets buy a token that fell but is still active (METHODS §6.1). */
export const influxHighOnDip: SignalModel = {
  name: 'influx_high_on_dip',
  card: {
    pattern:
      'A token at 35 to 75 % of its six-hour high is bought by smart money of at least two ' +
      'clusters and by organic wallets, while the depth of its pool is unchanged.',
    rationale:
      'Panic sellers are bought out by wallets whose past trades were profitable more often ' +
      'than chance.',
    lookAlikes: [
      'A pool that is being drained: its quote reserve must be at least 90 % of what it ' + 'was.',
      'A dead token: below 35 % of the high it is not a dip.',
      'Smart money that buys back what it sold: outflux is deducted.',
    ],
  },
  parameters: parseModelParameters(table),
  measure: ({ window, facts }) => {
    const { influxUsd, outfluxUsd } = smartFlow(facts);
    return {
      priceToSixHourHigh: priceRatio(window.close, window.sixHourHigh),
      smartInfluxUsd10m: influxUsd,
      smartInfluxToOutflux10m: ratio(influxUsd, outfluxUsd),
      smartBuyers10m: window.smartBuyers(10),
      organicBuyers5m: window.organicBuyers(5),
      quoteReserveToTenMinutesAgo: priceRatio(window.quoteAgo(0), window.quoteAgo(10)),
    };
  },
};
