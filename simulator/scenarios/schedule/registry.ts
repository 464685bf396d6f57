import type { BenignFamily, FraudType } from '../../truth/labels.ts';
import { bundleAndLaunder } from '../attacks/bundle-and-launder.ts';
import { coordinatedExit } from '../attacks/coordinated-exit.ts';
import { fakeDump } from '../attacks/fake-dump.ts';
import { lateBundle } from '../attacks/late-bundle.ts';
import { traditionalBundle } from '../attacks/traditional-bundle.ts';
import { washVolume } from '../attacks/wash-volume.ts';
import { airdrop } from '../benign/airdrop.ts';
import { arbitrage } from '../benign/arbitrage.ts';
import { bridgeUsers } from '../benign/bridge-users.ts';
import { callBurst } from '../benign/call-burst.ts';
import { copyTraders } from '../benign/copy-traders.ts';
import { escrows } from '../benign/escrows.ts';
import { feeAccounts } from '../benign/fee-accounts.ts';
import { independentSnipers } from '../benign/independent-snipers.ts';
import { lockedTeam } from '../benign/locked-team.ts';
import { marketMaker } from '../benign/market-maker.ts';
import { panic } from '../benign/panic.ts';
import { sameExchange } from '../benign/same-exchange.ts';
import { sandwich } from '../benign/sandwich.ts';
import { terminalUsers } from '../benign/terminal-users.ts';
import { twoWallets } from '../benign/two-wallets.ts';
import { whitelistLaunch } from '../benign/whitelist-launch.ts';
import type { BenignGroup } from '../benign-group.ts';
import type { AttackKnobs } from '../knobs.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { Script } from '../script.ts';

/** One of the six fraud patterns: acts, and writes its own label once it has begun. */
type AttackScenario = (context: ScenarioContext, knobs: AttackKnobs) => Script;

/** A benign look-alike of METHODS §7.9: acts, and lists the wallets that look suspicious. */
type BenignScenario = (context: ScenarioContext, group: BenignGroup) => Script;

export const ATTACKS: Readonly<Record<FraudType, AttackScenario>> = {
  traditional_bundle: traditionalBundle,
  late_bundle: lateBundle,
  bundle_and_launder: bundleAndLaunder,
  fake_dump: fakeDump,
  coordinated_exit: coordinatedExit,
  wash_volume: washVolume,
};

export const LOOK_ALIKES: Readonly<Record<BenignFamily, BenignScenario>> = {
  N1: sameExchange,
  N2: terminalUsers,
  N3: independentSnipers,
  N4: callBurst,
  N5: copyTraders,
  N6: marketMaker,
  N7: arbitrage,
  N8: sandwich,
  N9: panic,
  N10: lockedTeam,
  N11: airdrop,
  N12: feeAccounts,
  N13: twoWallets,
  N14: bridgeUsers,
  N15: escrows,
  N16: whitelistLaunch,
};
