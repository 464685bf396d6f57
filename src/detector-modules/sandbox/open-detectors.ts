import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import type { DetectorPackage } from '../package/detector-package.ts';
import { openDetector } from './open-detector.ts';

const opened = new WeakMap<readonly DetectorPackage[], readonly InstalledDetector[]>();

/** The detectors of packages, which all engines of a thread share: they have no state. */
export function openDetectors(packages: readonly DetectorPackage[]): readonly InstalledDetector[] {
  const known = opened.get(packages);
  if (known !== undefined) return known;
  const detectors = packages.map((source) => openDetector(source));
  opened.set(packages, detectors);
  return detectors;
}
