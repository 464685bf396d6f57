import type { FraudType } from '../../model/fraud.ts';
import { lateBundle } from '../bundles/late-bundle.ts';
import { traditionalBundle } from '../bundles/traditional-bundle.ts';
import type { Detector } from '../contract/detector.ts';
import { fakeDump } from '../dumps/fake-dump.ts';
import { coordinatedExit } from '../exits/coordinated-exit.ts';
import { bundleAndLaunder } from '../laundering/bundle-and-launder.ts';
import { washVolume } from '../wash/wash-volume.ts';

/**
 * The detectors of the built-in types of fraud, in the order of `FRAUD_TYPES`. They are written
 * against the contract of installed ones.
 */
export const DETECTORS: readonly Detector<FraudType>[] = [
  traditionalBundle,
  lateBundle,
  bundleAndLaunder,
  fakeDump,
  coordinatedExit,
  washVolume,
];
