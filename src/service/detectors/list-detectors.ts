import type { DetectorState } from '../../engine/fraud/detector-watch.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import { DETECTORS } from '../../fraud/detect/registry.ts';
import type { ListedDetector } from '../../model/detector-listing.ts';
import { asSlot } from '../../model/units.ts';
import type { ShadowStatus } from './shadow-trial.ts';

export interface DetectorsToList {
  readonly published: readonly DetectorState[];
  readonly tried: readonly InstalledDetector[];
  readonly trials: readonly ShadowStatus[];
}

/** The built-in detectors, then the published packages, then those that are tried. */
export function listDetectors({ published, tried, trials }: DetectorsToList): ListedDetector[] {
  const none = { off: null, trial: null };
  return [
    ...DETECTORS.map(
      ({ name, version, severity, card: { pattern } }): ListedDetector => ({
        ...{ name, version, hash: null, fraudType: name, severity, pattern, ...none },
      }),
    ),
    ...published.map(
      ({ off, detail: _, ...described }): ListedDetector => ({
        ...{ ...described, fraudType: null, ...none },
        off: off === null ? null : { slot: asSlot(off.slot), failure: off.failure },
      }),
    ),
    ...tried.map(({ name, version, hash, severity, card: { pattern } }): ListedDetector => {
      const trial = trials.find((one) => one.name === name);
      return {
        ...{ name, version, hash, fraudType: null, severity, pattern, ...none },
        trial: trial === undefined ? null : toTrial(trial),
      };
    }),
  ];
}

function toTrial({ counts, stopped }: ShadowStatus): ListedDetector['trial'] {
  const { both, onlyDetector, onlyBuiltIn, neither, failed } = counts;
  return { both, onlyDetector, onlyBuiltIn, neither, failed, isStopped: stopped !== null };
}
