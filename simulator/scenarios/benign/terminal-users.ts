import { TERMINAL_OF_FEE_ACCOUNT } from '../../../src/model/terminal-accounts.ts';
import { asAddress } from '../../../src/model/units.ts';
import { stageOrdinaryToken } from '../audience.ts';
import { type BenignGroup, drawAmounts, LAMPORTS_PER_SOL, payStrangers } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land } from '../sending.ts';
import { openMarket } from '../staged-token.ts';
import { terminalOrder } from '../terminal-order.ts';

const COUNT = { least: 12, more: 12 } as const;
const PRESET_SOL = [0.1, 0.25, 0.5, 1] as const;
/** Limit orders at one price execute within a few slots of each other. */
const TRIGGERED_WITHIN_MS = 3_000;

/**
 * N2: one relay pays for all users and charges each a fee; the users are independent. Users of
 * one terminal share fee payer, tips and preset sizes, and buy at one price.
 */
export function* terminalUsers(context: ScenarioContext, group: BenignGroup): Script {
  const { world, random } = context;
  const count = random.count(COUNT);
  const relay = group.open('bot', 'terminal relay');
  yield* withdraw(context, relay, 3_000_000_000n);
  const wallets = group.openSeveral(count, 'organic', 'terminal user');
  const drawSize = () => BigInt(random.pick(PRESET_SOL) * LAMPORTS_PER_SOL);
  const sizeOf = drawAmounts(wallets, drawSize);
  yield* payStrangers(context, wallets, (wallet) => sizeOf(wallet) * 2n, 90_000);
  const staged = yield* stageOrdinaryToken(context, {
    quality: 0.4,
    onlookers: { count: 14, overMs: 60_000, medianSol: 0.25, nervousShare: 0.2 },
    purchases: 8,
  });
  if (staged === null) return;
  const feeAccount = asAddress(random.pick([...TERMINAL_OF_FEE_ACCOUNT.keys()]));
  group.begin(staged.mint, world.slot, { count });
  yield* together(
    wallets.map(function* (trader) {
      yield* pause(world, random.between(0, TRIGGERED_WITHIN_MS));
      const market = yield* openMarket(context, staged.mint);
      if (market === null) return;
      const lamports = sizeOf(trader);
      yield* land(world, terminalOrder(context, market, { trader, lamports, relay, feeAccount }));
    }),
  );
  group.end();
}
