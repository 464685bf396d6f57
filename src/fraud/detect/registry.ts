import { lateBundle } from '../bundles/late-bundle.ts';
import { traditionalBundle } from '../bundles/traditional-bundle.ts';
import { fakeDump } from '../dumps/fake-dump.ts';
import { coordinatedExit } from '../exits/coordinated-exit.ts';
import { bundleAndLaunder } from '../laundering/bundle-and-launder.ts';
import type { Detector } from '../scoring/detector.ts';
import { washVolume } from '../wash/wash-volume.ts';

/** All fraud detectors, in the order of `FRAUD_TYPES`. */
export const DETECTORS: readonly Detector[] = [
  traditionalBundle,
  lateBundle,
  bundleAndLaunder,
  fakeDump,
  coordinatedExit,
  washVolume,
];
