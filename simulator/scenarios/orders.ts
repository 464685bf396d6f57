import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { ComputeBudget } from '../chain/run-transaction.ts';
import { buySteps, sellSteps } from '../market/trade-steps.ts';
import { JITO_TIP_ACCOUNTS } from '../people/tip-accounts.ts';
import { ensureTokenAccount } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokensChecked } from '../programs/token.ts';
import type { Random } from '../random/random.ts';
import type { Market } from '../venues/market.ts';
import { versionFor } from '../venues/path-market.ts';
import { SHARING_STYLE } from '../venues/trade-style.ts';
import type { TipStyle } from './knobs.ts';
import type { Payment, ScenarioContext } from './scenario.ts';
import { BUNDLE_SIZE_MAX, type PlainOrder } from './sending.ts';

/** Maximum cost of one trade besides its amount: token account, fees, a tip. */
export const TRADE_COST_LAMPORTS = 12_000_000n;

const MILLION = 1_000_000;

/** Options of a trade, such as another signer who pays its fee. */
interface TradeStyle {
  readonly trader: Address;
  readonly market: Market;
  /** Jito tip that the trader pays in the same transaction. */
  readonly tipLamports?: bigint;
  readonly feePayer?: Address;
  readonly priority?: number;
}

export interface Purchase extends TradeStyle {
  readonly lamports: bigint;
}

export interface Sale extends TradeStyle {
  /** Share of the trader's holding at execution, within (0, 1]. */
  readonly share: number;
  /** The emptied token account is closed too. */
  readonly closes?: boolean;
}

/** A share of an amount, rounded down; `share` is applied in millionths. */
export function partOf(amount: bigint, share: number): bigint {
  return (amount * BigInt(Math.round(share * MILLION))) / BigInt(MILLION);
}

/** The amount changed by up to `jitter` in either direction. */
export function varied(random: Random, amount: bigint, jitter: number): bigint {
  return partOf(amount, 1 + random.between(-jitter, jitter));
}

/** A wallet's current balance of a mint in raw units. */
export function heldOf({ world }: ScenarioContext, owner: Address, mint: Address): bigint {
  const account = world.tokenAccounts.of(owner, mint);
  return world.chain.ledger.heldRaw(account);
}

/** A typical tip of bundles: a thousandth to a hundredth of a SOL. */
export function drawTip(random: Random): bigint {
  return BigInt(Math.round(random.logNormal(2_000_000, 0.5)));
}

export function payTip(execution: Execution, from: Address, account: Address, lamports: bigint) {
  transferLamports(execution, from, account, lamports);
}

export function purchaseOrder(context: ScenarioContext, purchase: Purchase): PlainOrder {
  const { tokenAccounts } = context.world;
  const { trader, market, lamports } = purchase;
  return tradeOrder(context, purchase, (execution) =>
    buySteps(execution, tokenAccounts, { market, trader, amountInRaw: lamports, minOutRaw: 1n }),
  );
}

export function saleOrder(context: ScenarioContext, sale: Sale): PlainOrder {
  const { tokenAccounts } = context.world;
  const { trader, market, share, closes = false } = sale;
  const account = tokenAccounts.of(trader, market.baseMint);
  return tradeOrder(context, sale, (execution) => {
    const heldRaw = execution.ledger.heldRaw(account);
    const amountInRaw = share >= 1 ? heldRaw : partOf(heldRaw, share);
    const steps = { market, trader, amountInRaw, minOutRaw: 1n };
    sellSteps(execution, tokenAccounts, steps, closes && share >= 1);
  });
}

function tradeOrder(
  { random }: ScenarioContext,
  { market, trader, tipLamports = 0n, feePayer = trader, priority = 50_000 }: TradeStyle,
  trade: (execution: Execution) => void,
): PlainOrder {
  const tipAccount = random.pick(JITO_TIP_ACCOUNTS);
  return {
    feePayer,
    signers: feePayer === trader ? [] : [trader],
    computeBudget: drawBudget(random, 220_000),
    version: versionFor(market, 'legacy'),
    priority,
    build(execution) {
      trade(execution);
      if (tipLamports > 0n) payTip(execution, trader, tipAccount, tipLamports);
    },
  };
}

/**
 * Several owners buy in one transaction; the first pays the fee. Throws RangeError for an empty
 * list.
 */
export function jointPurchase(
  context: ScenarioContext,
  purchases: readonly Purchase[],
): PlainOrder {
  const [first, ...others] = purchases;
  if (first === undefined) throw new RangeError('a joint purchase needs at least one purchase');
  const { tokenAccounts } = context.world;
  return {
    feePayer: first.trader,
    signers: others.map(({ trader }) => trader),
    computeBudget: drawBudget(context.random, 600_000),
    version: 0,
    priority: 50_000,
    build(execution) {
      for (const { market, trader, lamports } of purchases) {
        const steps = { market, trader, amountInRaw: lamports, minOutRaw: 1n };
        buySteps(execution, tokenAccounts, { ...steps, style: SHARING_STYLE });
      }
    },
  };
}

/** Groups purchases by the tip style: related ones in a group, each group a bundle. */
export function purchaseGroups(
  context: ScenarioContext,
  purchases: readonly Purchase[],
  style: TipStyle,
): PlainOrder[][] {
  const { random } = context;
  const order = (purchase: Purchase, tipLamports = 0n): PlainOrder =>
    purchaseOrder(context, { ...purchase, tipLamports });
  switch (style) {
    case 'shared':
      return evenGroups(purchases, BUNDLE_SIZE_MAX).map((group) =>
        group.map((purchase, index) =>
          order(purchase, index === group.length - 1 ? drawTip(random) : 0n),
        ),
      );
    case 'multi_signer':
      return evenGroups(purchases, jointSizeOf(purchases)).map((group) => [
        jointPurchase(context, group),
      ]);
    case 'each':
      return purchases.map((purchase) => [order(purchase, drawTip(random))]);
    case 'none':
      return purchases.map((purchase) => [order(purchase)]);
  }
}

/** Maximum purchases per transaction: one fewer if SOL has to be wrapped. */
function jointSizeOf(purchases: readonly Purchase[]): number {
  return purchases.every(({ market }) => market.takesLamports) ? 3 : 2;
}

/** As few groups as possible, with sizes that differ by at most one. */
export function evenGroups<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, index) =>
    items.slice(
      Math.floor((index * items.length) / count),
      Math.floor(((index + 1) * items.length) / count),
    ),
  );
}

/** Pays several wallets in one transaction. */
export function paymentOrder(
  { random }: ScenarioContext,
  from: Address,
  payments: readonly Payment[],
): PlainOrder {
  return {
    feePayer: from,
    computeBudget: random.chance(0.5) ? drawBudget(random, 30_000) : null,
    priority: 10_000,
    build(execution) {
      for (const { wallet, lamports } of payments) {
        transferLamports(execution, from, wallet, lamports);
      }
    },
  };
}

/** Sends a wallet's whole balance: the given amounts to all but the last, who gets the rest. */
export function passOnOrder(from: Address, payments: readonly Payment[]): PlainOrder {
  return {
    feePayer: from,
    priority: 10_000,
    build(execution) {
      payments.forEach(({ wallet, lamports }, index) => {
        const isLast = index === payments.length - 1;
        const rest = execution.ledger.get(from).lamports;
        transferLamports(execution, from, wallet, isLast ? rest : lamports);
      });
    },
  };
}

/** Sends tokens to others, in shares of the sender's balance at execution. */
export function tokenOrder(
  { world, random }: ScenarioContext,
  from: Address,
  mint: Address,
  receivers: readonly { readonly wallet: Address; readonly share: number }[],
): PlainOrder {
  const { tokenAccounts } = world;
  const source = tokenAccounts.of(from, mint);
  return {
    feePayer: from,
    computeBudget: drawBudget(random, 40_000 * receivers.length + 20_000),
    priority: 20_000,
    build(execution) {
      const heldRaw = execution.ledger.heldRaw(source);
      for (const { wallet, share } of receivers) {
        const to = ensureTokenAccount(execution, tokenAccounts, from, wallet, mint);
        const amountRaw = share >= 1 ? heldRaw : partOf(heldRaw, share);
        transferTokensChecked(execution, { from: source, to, authority: from, amountRaw });
      }
    },
  };
}

function drawBudget(random: Random, unitLimit: number): ComputeBudget {
  return { unitLimit, priceMicroLamports: BigInt(20_000 + random.below(180_000)) };
}
