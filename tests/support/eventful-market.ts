import type { SimulationConfig } from '../../simulator/simulation-config.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { BENIGN_FAMILIES, FRAUD_TYPES } from '../../simulator/truth/labels.ts';

/**
 * A market with every kind of event within a few hundred slots: all attacks and look-alikes,
 * launches of all kinds, forks, skipped slots, and slots that become shorter.
 */
export function eventfulMarket(seed: string): SimulationConfig {
  const { firstSlot } = PRESETS.market;
  return {
    ...PRESETS.market,
    seed,
    launchesPerHour: 1_800,
    poolLaunchesPerHour: 600,
    skipRate: 0.05,
    forkRate: 0.03,
    laterSlotMs: 250,
    laterFromSlot: firstSlot + 150,
    attacksPerHour: ratesOf(FRAUD_TYPES, 120),
    benignPerHour: ratesOf(BENIGN_FAMILIES, 60),
  };
}

function ratesOf<Name extends string>(names: readonly Name[], rate: number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, rate])) as Record<Name, number>;
}
