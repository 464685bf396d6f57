import {
  ageMinutes,
  marketCap,
  organicBuyShare,
  organicVolumeUsd,
  priceRatio,
  ratio,
} from '../features/features.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { SignalModel } from '../features/signal-model.ts';
import table from './organic-momentum.json' with { type: 'json' };

/** A new high driven by organic volume (METHODS §6.1). */
export const organicMomentum: SignalModel = {
  name: 'organic_momentum',
  card: {
    pattern:
      'The price rises above the range of the last hour while many unconnected organic ' +
      'wallets buy several times as much as usual.',
    rationale:
      'Attention spreads among buyers and lasts longer than the minute in which it is ' +
      'measured.',
    lookAlikes: [
      'Wash trades and volume bots: they are not organic, and connected wallets count once.',
      'Late buyers of a steep rise: a return of over 80 % within five minutes is not a ' +
        'signal.',
      'Many buyers who are all wrong: the model cannot distinguish them from those who are ' +
        'right.',
    ],
  },
  parameters: parseModelParameters(table),
  measure: (reading) => {
    const { window } = reading;
    const organicUsd = organicVolumeUsd(window, 5);
    const rise = priceRatio(window.close, window.priceAgo(5));
    return {
      ageMinutes: ageMinutes(reading),
      marketCapUsd: marketCap(reading),
      priceToHourHigh: priceRatio(window.close, window.highBefore(60)),
      organicVolumeUsd5m: organicUsd,
      organicVolumeToUsual: ratio(organicUsd, window.usualOrganicUsd),
      organicVolumeShare5m: ratio(organicUsd, window.volumeUsd(5)),
      organicBuyers5m: window.organicBuyers(5),
      organicBuyShare5m: organicBuyShare(window, 5),
      return5m: rise === null ? null : rise - 1,
    };
  },
};
