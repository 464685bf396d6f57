import { ageMinutes, organicBuyShare, organicVolumeUsd, ratio } from '../features/features.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { SignalModel } from '../features/signal-model.ts';
import table from './graduation-velocity.json' with { type: 'json' };

/** A bonding curve that many people fill fast (METHODS §6.1). */
export const graduationVelocity: SignalModel = {
  name: 'graduation_velocity',
  card: {
    pattern:
      'A bonding curve gains a quarter of its quote within five minutes, most of it from ' +
      'purchases of many unconnected organic wallets.',
    rationale:
      'Studies of launchpads find that curves which fill fast and with few programs complete ' +
      'more often than others.',
    lookAlikes: [
      'Bundles and volume bots: they are not organic, and connected wallets count once.',
      'A curve that fills for the sake of its completion, after which its buyers sell to those ' +
        'who came for the signal.',
    ],
  },
  parameters: parseModelParameters(table),
  measure: (reading) => {
    const { window, facts } = reading;
    const organicUsd = organicVolumeUsd(window, 5);
    return {
      isCurve: facts.isCurve ? 1 : 0,
      ageMinutes: ageMinutes(reading),
      quoteGrowth5m: ratio(window.quoteAgo(0), window.quoteAgo(5)),
      organicVolumeUsd5m: organicUsd,
      organicVolumeShare5m: ratio(organicUsd, window.volumeUsd(5)),
      organicBuyers5m: window.organicBuyers(5),
      organicBuyShare5m: organicBuyShare(window, 5),
    };
  },
};
