import type { Difficulty } from '../../truth/labels.ts';
import { traditionalBundle } from '../attacks/traditional-bundle.ts';
import type { AttackKnobs } from '../knobs.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { Script } from '../script.ts';

/** How uneven the withdrawals are, and whether the proceeds are swept into one wallet. */
const EVASION: Readonly<Record<Difficulty, { readonly jitter: number; readonly sweeps: boolean }>> =
  {
    easy: { jitter: 0.01, sweeps: true },
    medium: { jitter: 0.3, sweeps: true },
    hard: { jitter: 0.6, sweeps: false },
  };

/** A launch bundle whose wallets are all paid by exchanges, each purchase alone with its own tip. */
export function* exchangeFunded(context: ScenarioContext, drawn: AttackKnobs): Script {
  const { jitter, sweeps } = EVASION[drawn.difficulty];
  yield* traditionalBundle(context, {
    ...drawn,
    ...{ hubShare: 1, tipStyle: 'each', slotSpread: 0 },
    ...{ fundingJitter: jitter, sweepsProceeds: sweeps },
  });
}
