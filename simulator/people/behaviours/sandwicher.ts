import type { Execution } from '../../chain/execution.ts';
import type { Order } from '../../market/order.ts';
import { buySteps, sellSteps } from '../../market/trade-steps.ts';
import { transferLamports } from '../../programs/system.ts';
import type { PendingTrade } from '../attention.ts';
import { type BehaviourContext, type BehaviourKind, settlers } from '../behaviour.ts';
import { type SeenDepth, seeDepth, seeTrade } from '../depth.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';
import type { Trade } from '../trade-order.ts';
import { BOT, heldRaw, lamportsOf, lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL_SOL = 120;
const LARGEST_SOL = 15;
const SIZES_TRIED = 10;
/** Smaller purchases are ignored. */
const LEAST_VICTIM_LAMPORTS = lamportsOfSol(0.3);
/** Required profit after fees and rent, and the share of the profit that is tipped. */
const LEAST_GAIN = 3_000_000;
const TIP_SHARE = 0.4;
/** Share of pending orders it sees. */
const SEEN_SHARE = 0.6;
/** Allowance for price changes by other orders until the bundle runs. */
const FRONT_SLIPPAGE = { dividend: 97n, divisor: 100n } as const;
const LEG_UNITS = { unitLimit: 250_000, priceMicroLamports: 10_000n } as const;

interface Sandwich {
  readonly frontLamports: bigint;
  readonly tipLamports: bigint;
}

/** Programs that place a purchase and its sale around another trader's purchase, as one bundle. */
export const sandwicher: BehaviourKind = { name: 'sandwicher', label: BOT, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention } = context;
  const people = settlers(context, sandwicher, count, () => lamportsOfSol(CAPITAL_SOL));
  attention.onPending((pending) => {
    if (pending.trade.amountInRaw < LEAST_VICTIM_LAMPORTS || !random.chance(SEEN_SHARE)) {
      return false;
    }
    return surround(context, random.pick(people), pending);
  });
}

function surround(context: BehaviourContext, person: Person, pending: PendingTrade): boolean {
  const { world } = context;
  const { trade, order, interest } = pending;
  if (heldRaw(world, person, interest.mint) > 0n) return false;
  const depth = seeDepth(trade.market, world.chain.ledger);
  const sandwich = depth === null ? null : bestSandwich(depth, trade, lamportsOf(world, person));
  if (sandwich === null) return false;
  const { front, back } = legsOf(context, person, trade, sandwich);
  // A failed bundle leaves no trace; the victim's order is then sent by itself.
  const victim: Order = { ...order, onDropped: () => world.send(order) };
  world.sendBundle([front, victim, back]);
  return true;
}

/** The most profitable size at which the victim's order still succeeds. */
function bestSandwich(depth: SeenDepth, victim: Trade, lamports: bigint): Sandwich | null {
  const most = Math.min(Number(lamports) / 2, Number(lamportsOfSol(LARGEST_SOL)));
  let best = { front: 0, gain: 0 };
  for (let step = 1; step <= SIZES_TRIED; step++) {
    const front = (most * step * step) / (SIZES_TRIED * SIZES_TRIED);
    const first = seeTrade(depth, 'buy', front);
    const second = seeTrade(first.after, 'buy', Number(victim.amountInRaw));
    if (second.out < Number(victim.minOutRaw)) break;
    const gain = seeTrade(second.after, 'sell', first.out).out - front;
    if (gain > best.gain) best = { front, gain };
  }
  if (best.gain < LEAST_GAIN) return null;
  const tip = best.gain * TIP_SHARE;
  return { frontLamports: BigInt(Math.floor(best.front)), tipLamports: BigInt(Math.floor(tip)) };
}

/**
 * The front leg accepts some slippage; the back leg sells the proceeds and must cover the tip and a
 * profit.
 */
function legsOf(
  { world, random }: BehaviourContext,
  { address: trader }: Person,
  { market }: Trade,
  { frontLamports, tipLamports }: Sandwich,
): { readonly front: Order; readonly back: Order } {
  const { tokenAccounts, chain } = world;
  const account = tokenAccounts.of(trader, market.baseMint);
  const expected = market.quote(chain.ledger, 'buy', frontLamports);
  const minFrontRaw = (expected * FRONT_SLIPPAGE.dividend) / FRONT_SLIPPAGE.divisor;
  const leg = { market, trader };
  const style = { feePayer: trader, computeBudget: LEG_UNITS, version: 0 } as const;
  const tip = random.pick(JITO_TIP_ACCOUNTS);
  const front: Order = {
    ...style,
    priority: Number(tipLamports),
    build: (execution) =>
      buySteps(execution, tokenAccounts, {
        ...leg,
        amountInRaw: frontLamports,
        minOutRaw: minFrontRaw,
      }),
  };
  const back: Order = {
    ...style,
    build(execution: Execution) {
      const amountInRaw = execution.ledger.token(account).amountRaw;
      const minOutRaw = frontLamports + tipLamports;
      sellSteps(execution, tokenAccounts, { ...leg, amountInRaw, minOutRaw }, true);
      transferLamports(execution, trader, tip, tipLamports);
    },
  };
  return { front, back };
}
