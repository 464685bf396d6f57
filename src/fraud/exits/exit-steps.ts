import type { CaseTrade, MintCase, TransactionRef } from '../../model/mint-case.ts';
import type { Address, Signature, Slot } from '../../model/units.ts';
import { tradesOf } from '../groups/crew.ts';
import { byChainOrder } from '../readings/block-order.ts';
import type { OneSidedPosition } from '../readings/liquidity-exits.ts';

/** An action that changed the crew's holdings: a trade or a change of liquidity. */
export interface ExitStep extends TransactionRef {
  readonly wallet: Address;
  /** Tokens disposed of; negative for purchases, zero for two-sided liquidity. */
  readonly baseRaw: bigint;
  /** Lamports taken from pools; negative for those paid in. */
  readonly lamports: bigint;
  /** Null for liquidity. */
  readonly trade: CaseTrade | null;
  readonly pool: Address;
}

/** All steps of some wallets, in block order. */
export function stepsOf(
  mintCase: MintCase,
  members: ReadonlySet<Address>,
  positions: readonly OneSidedPosition[],
): readonly ExitStep[] {
  const { sales, purchases } = tradesOf(mintCase, (wallet) => members.has(wallet));
  const sold = positions.flatMap(({ exits }) => exits);
  const exitOf = (change: TransactionRef & { readonly provider: Address }): bigint =>
    sold.find((exit) => exit.signature === change.signature && exit.provider === change.provider)
      ?.baseRaw ?? 0n;
  const steps: ExitStep[] = [
    ...sales.map((trade) => new TradeStep(trade, 1n)),
    ...purchases.map((trade) => new TradeStep(trade, -1n)),
    ...mintCase.liquidity
      .filter(({ provider }) => members.has(provider))
      .map((change) => ({
        ...refOf(change),
        wallet: change.provider,
        baseRaw: exitOf(change),
        lamports: 0n - change.lamports,
        trade: null,
        pool: change.pool,
      })),
  ];
  return steps.sort(byChainOrder);
}

/** A step with the position of its trade. The signature is a getter, as it may be lazy there. */
class TradeStep implements ExitStep {
  readonly trade: CaseTrade;
  readonly slot: Slot;
  readonly timeMs: number;
  readonly txIndex: number;
  readonly wallet: Address;
  readonly pool: Address;
  readonly baseRaw: bigint;
  readonly lamports: bigint;

  constructor(trade: CaseTrade, sign: bigint) {
    this.trade = trade;
    this.slot = trade.slot;
    this.timeMs = trade.timeMs;
    this.txIndex = trade.txIndex;
    this.wallet = trade.wallet;
    this.pool = trade.pool;
    this.baseRaw = sign * trade.baseRaw;
    this.lamports = sign * trade.lamports;
  }

  get signature(): Signature {
    return this.trade.signature;
  }
}

function refOf({ slot, timeMs, txIndex, signature }: TransactionRef): TransactionRef {
  return { slot, timeMs, txIndex, signature };
}

/** Purchases from this index on up to a time. */
export function purchasesUntil(
  steps: readonly ExitStep[],
  start: number,
  untilMs: number,
): readonly ExitStep[] {
  const bought: ExitStep[] = [];
  for (let index = start; index < steps.length; index++) {
    const step = steps[index];
    if (step === undefined || step.timeMs > untilMs) break;
    if (step.trade?.side === 'buy') bought.push(step);
  }
  return bought;
}
