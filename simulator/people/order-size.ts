import type { Random } from '../random/random.ts';
import { lamportsOfSol } from './wallets.ts';

/** Preset sizes of trading sites, in SOL. */
export const PRESET_SOL = [0.05, 0.1, 0.25, 0.5, 1] as const;

const PRESET_SHARE = 0.5;
/** Other sizes: median and spread of the logarithm, and the maximum per trade. */
const FREE_SIZE = { medianSol: 0.2, spread: 1, mostSol: 8, leastSol: 0.01 } as const;

/** Half the crowd uses a preset size; the other half is log-normally distributed. */
export function crowdSizeLamports(random: Random): bigint {
  return random.chance(PRESET_SHARE)
    ? lamportsOfSol(random.pick(PRESET_SOL))
    : freeSizeLamports(random);
}

export function freeSizeLamports(random: Random): bigint {
  const { medianSol, spread, mostSol, leastSol } = FREE_SIZE;
  const sol = random.logNormal(medianSol, spread);
  return lamportsOfSol(Math.min(mostSol, Math.max(leastSol, sol)));
}
