import type { Difficulty } from '../../truth/labels.ts';
import { traditionalBundle } from '../attacks/traditional-bundle.ts';
import { independentSnipers } from '../benign/independent-snipers.ts';
import type { ScenarioCase } from './scenario-case.ts';

/** How uneven the withdrawals are, and whether the proceeds are swept into one wallet. */
const EVASION: Readonly<Record<Difficulty, { readonly jitter: number; readonly sweeps: boolean }>> =
  {
    easy: { jitter: 0.01, sweeps: true },
    medium: { jitter: 0.3, sweeps: true },
    hard: { jitter: 0.6, sweeps: false },
  };

/**
 * A launch bundle whose wallets are all paid by exchanges, each purchase alone with its own tip.
 * Beside it: snipers who withdrew from exchanges and buy in the same slot.
 */
export const exchangeFunded: ScenarioCase = {
  type: 'traditional_bundle',
  knobsOf: (drawn) => ({
    ...drawn,
    hubShare: 1,
    tipStyle: 'each',
    slotSpread: 0,
    fundingJitter: EVASION[drawn.difficulty].jitter,
    sweepsProceeds: EVASION[drawn.difficulty].sweeps,
  }),
  attack: traditionalBundle,
  family: 'N3',
  lookAlike: independentSnipers,
};
