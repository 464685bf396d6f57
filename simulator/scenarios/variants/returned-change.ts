import type { Address } from '../../../src/model/units.ts';
import { EXCHANGE_WALLETS } from '../../market/common-accounts.ts';
import { payOrdinaryCreator } from '../audience.ts';
import { type BenignGroup, drawAmounts, drawSol, payStrangers } from '../benign-group.ts';
import { withdraw } from '../funding.ts';
import { Onlookers } from '../onlookers.ts';
import { drawTip, passOnOrder, paymentOrder, purchaseOrder } from '../orders.ts';
import type { ScenarioContext } from '../scenario.ts';
import { pause, type Script, together } from '../script.ts';
import { land, landWithRetries } from '../sending.ts';
import { launchStaged, planScenarioLaunch } from '../staged-token.ts';

const COUNT = { least: 6, more: 6 } as const;
const PAID_WITHIN_MS = 180_000;
const CALLER_LAMPORTS = 100_000_000n;
/** What the caller asks of each. */
const FEE_LAMPORTS = 50_000_000n;
/** What a wallet keeps for further fees. */
const KEPT_LAMPORTS = 3_000_000n;
/** Before a customer returns what it did not spend. */
const RETURN_MEAN_MS = 25_000;

/**
 * Beside exchange-funded: strangers that a caller told of the launch buy it in its slot, each paid by
 * an exchange and with its own tip. They pay the caller the same fee, and return what they did not
 * spend to the exchange, each through a deposit account of its own.
 */
export function* returnedChange(context: ScenarioContext, group: BenignGroup): Script {
  const { random } = context;
  const wallets = group.openSeveral(random.count(COUNT), 'organic', 'customer of a caller');
  const caller = group.open('organic', 'caller');
  const sizeOf = drawAmounts(wallets, () => drawSol(context, 0.2, 1.4));
  const spareOf = drawAmounts(wallets, () => drawSol(context, 0.2, 1));
  yield* withdraw(context, caller, CALLER_LAMPORTS);
  yield* payStrangers(
    context,
    wallets,
    (wallet) => sizeOf(wallet) + spareOf(wallet),
    PAID_WITHIN_MS,
  );
  const plan = planScenarioLaunch(context, yield* payOrdinaryCreator(context));
  const behind = wallets.map((trader) => {
    const purchase = { trader, market: plan.curve, lamports: sizeOf(trader) };
    return [purchaseOrder(context, { ...purchase, tipLamports: drawTip(random) })];
  });
  const launched = yield* launchStaged(context, { plan, quality: 0.4, behind });
  if (launched === null) return;
  group.begin(plan.mint, launched.token.launchSlot, { count: wallets.length });
  const onlookers = new Onlookers(context, plan.mint);
  onlookers.attract({ count: 14, overMs: 90_000, medianSol: 0.25, nervousShare: 0.3 });
  yield* together(wallets.map((wallet) => returnChange(context, wallet, caller)));
  group.end();
}

/** Pays the caller, then sends the rest to a deposit account, which the exchange empties. */
function* returnChange(context: ScenarioContext, wallet: Address, caller: Address): Script {
  const { world, random } = context;
  yield* pause(world, random.exponential(RETURN_MEAN_MS));
  const fee = [{ wallet: caller, lamports: FEE_LAMPORTS }];
  yield* landWithRetries(world, paymentOrder(context, wallet, fee));
  yield* pause(world, random.exponential(RETURN_MEAN_MS));
  const lamports = world.chain.ledger.get(wallet).lamports - KEPT_LAMPORTS;
  if (lamports <= KEPT_LAMPORTS) return;
  const deposit = world.keyring.wallet();
  yield* landWithRetries(world, paymentOrder(context, wallet, [{ wallet: deposit, lamports }]));
  yield* pause(world, random.exponential(RETURN_MEAN_MS));
  yield* land(
    world,
    passOnOrder(deposit, [{ wallet: random.pick(EXCHANGE_WALLETS), lamports: 0n }]),
  );
}
