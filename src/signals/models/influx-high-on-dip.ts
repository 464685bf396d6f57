import { priceRatio, ratio, smartFlow } from '../features/features.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { SignalModel } from '../features/signal-model.ts';
import table from './influx-high-on-dip.json' with { type: 'json' };

/** Smart wallets buy a token that fell but is still active (METHODS §6.1). */
export const influxHighOnDip: SignalModel = {
  name: 'influx_high_on_dip',
  card: {
    pattern:
      'A token at 35 to 75 % of its high of six hours is bought by good traders of two hands and by ' +
      'people, while its pool is as deep as before.',
    rationale: 'Who sold in fear is bought out by those who were right more often than chance.',
    lookAlikes: [
      'A pool that is being drained: its quote reserve must be nine tenths of what it was.',
      'A corpse: below 35 % of the high nobody calls it a dip.',
      'Good traders who buy back what they sold: outflux counts against them.',
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
