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
      'The price leaves the range of the last hour upwards while many unconnected people, not ' +
      'programs, buy several times as much as usual.',
    rationale: 'Attention spreads from buyer to buyer and outlasts the minute in which it shows.',
    lookAlikes: [
      'Wash volume and volume bots: they are not organic, and connected wallets count once.',
      'The last buyers of a vertical rise: a return of over 80 % within five minutes is no signal.',
      'People who are all wrong at once: nothing here tells them from those who are right.',
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
