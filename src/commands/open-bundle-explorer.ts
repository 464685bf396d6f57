import { BundleExplorer } from '../chain/bundles/bundle-explorer.ts';
import type { Config } from '../config/config-settings.ts';
import { monotonicClock } from '../lib/clock.ts';

/** The configured explorer of bundles; null if none is. `signal` ends its requests. */
export function openBundleExplorer(
  {
    bundleExplorerUrl: url,
    bundleExplorerRequestsPerSecond: requestsPerSecond,
  }: Pick<Config, 'bundleExplorerUrl' | 'bundleExplorerRequestsPerSecond'>,
  signal: AbortSignal,
): BundleExplorer | null {
  if (url === null) return null;
  return new BundleExplorer({ url, requestsPerSecond, clock: monotonicClock, signal });
}
