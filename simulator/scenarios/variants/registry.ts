import type { FraudType } from '../../truth/labels.ts';
import { independentSnipers } from '../benign/independent-snipers.ts';
import type { BenignGroup } from '../benign-group.ts';
import type { AttackKnobs } from '../knobs.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { Script } from '../script.ts';
import { busyPair } from './busy-pair.ts';
import { dripExit } from './drip-exit.ts';
import { exchangeFunded } from './exchange-funded.ts';
import { freshSellers } from './fresh-sellers.ts';
import { handScalpers } from './hand-scalpers.ts';
import { oneUseChains, strangersWithChains } from './one-use-chains.ts';
import { oneUseWash } from './one-use-wash.ts';
import { poolTraders } from './pool-traders.ts';
import { poolsWash } from './pools-wash.ts';
import { profitTakers } from './profit-takers.ts';
import { returnedChange } from './returned-change.ts';
import { terminalSpread, usersOfTerminal } from './terminal-spread.ts';
import { twoPoolPanic } from './two-pool-panic.ts';
import { venuesExit } from './venues-exit.ts';
import { walletMovers } from './wallet-movers.ts';

/** Another way to commit one of the six patterns, played at every difficulty. */
export interface AttackVariant {
  readonly type: FraudType;
  readonly play: (context: ScenarioContext, knobs: AttackKnobs) => Script;
}

/** What innocent people do that looks like it. */
type InnocentVariant = (context: ScenarioContext, group: BenignGroup) => Script;

/**
 * Attacks of the quality report beside those of the simulated market. Another case is a file and a
 * line here.
 */
export const ATTACK_VARIANTS: Readonly<Record<string, AttackVariant>> = {
  'drip-exit': { type: 'coordinated_exit', play: dripExit },
  'venues-exit': { type: 'coordinated_exit', play: venuesExit },
  'fresh-sellers': { type: 'coordinated_exit', play: freshSellers },
  'exchange-funded': { type: 'traditional_bundle', play: exchangeFunded },
  'terminal-spread': { type: 'traditional_bundle', play: terminalSpread },
  'one-use-chains': { type: 'traditional_bundle', play: oneUseChains },
  'pools-wash': { type: 'wash_volume', play: poolsWash },
  'one-use-wash': { type: 'wash_volume', play: oneUseWash },
};

/** Innocent look-alikes of these attacks. Another case is a file and a line here. */
export const INNOCENT_VARIANTS: Readonly<Record<string, InnocentVariant>> = {
  'profit-takers': profitTakers,
  'two-pool-panic': twoPoolPanic,
  'wallet-movers': walletMovers,
  'pool-traders': poolTraders,
  'busy-pair': busyPair,
  'hand-scalpers': handScalpers,
  'exchange-snipers': independentSnipers,
  'returned-change': returnedChange,
  'terminal-users': usersOfTerminal,
  'strangers-with-chains': strangersWithChains,
};
