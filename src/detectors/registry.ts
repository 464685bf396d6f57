import { bundleAndLaunder } from './bundle-and-launder.ts';
import { coordinatedExit } from './coordinated-exit.ts';
import type { Detector } from './detector.ts';
import { fakeDump } from './fake-dump.ts';
import { lateBundle } from './late-bundle.ts';
import { traditionalBundle } from './traditional-bundle.ts';
import { washVolume } from './wash-volume.ts';

/** Everything that looks for fraud, in the order of `FRAUD_TYPES`. */
export const DETECTORS: readonly Detector[] = [
  traditionalBundle,
  lateBundle,
  bundleAndLaunder,
  fakeDump,
  coordinatedExit,
  washVolume,
];
