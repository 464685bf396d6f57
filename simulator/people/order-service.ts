import type { Order, Placement } from '../market/order.ts';
import type { World } from '../market/world.ts';
import type { Market } from '../venues/market.ts';
import type { Attention } from './attention.ts';
import type { TokenInterest } from './token-interest.ts';
import { type TipPayment, type Trade, tradeOrder } from './trade-order.ts';
import { heldRaw, type Person } from './wallets.ts';

interface OrderRequest {
  readonly person: Person;
  readonly interest: TokenInterest;
  readonly market: Market;
  /** The share of the expected amount that may be lost before the trade fails. */
  readonly slippage: number;
  readonly tip?: TipPayment | null;
  readonly priority?: number;
  readonly placement?: Placement;
  /** From the displayed price to the order; default none. */
  readonly delayMs?: number;
  readonly onDone?: () => void;
  /** The order failed on chain, or was not included. */
  readonly onFailed?: () => void;
}

export interface BuyRequest extends OrderRequest {
  readonly lamports: bigint;
  /** Whether programs that watch pending orders can see it. */
  readonly isExposed?: boolean;
}

export interface SellRequest extends OrderRequest {
  /** Of the holdings, within (0, 1]. */
  readonly share: number;
}

/** Shares are in integer millionths: amounts are never multiplied as floats. */
const MILLION = 1_000_000n;

/** `amount` times a share between 0 and 1, rounded down. */
export function shareOf(amount: bigint, share: number): bigint {
  return (amount * BigInt(Math.floor(share * 1_000_000))) / MILLION;
}

/** Turns trading intentions into signed orders, at the prices of the newest block. */
export class OrderService {
  private readonly world: World;
  private readonly attention: Attention;

  constructor(world: World, attention: Attention) {
    this.world = world;
    this.attention = attention;
  }

  /**
   * Returns false if the pool gives nothing. For a pool that is created by the order directly
   * before it, any number of tokens is accepted.
   */
  buy(request: BuyRequest): boolean {
    const { person, market, interest, lamports, slippage, isExposed = false } = request;
    const { ledger } = this.world.chain;
    const isBlind = request.placement?.behind !== undefined && !market.isOpen(ledger);
    const expectedOutRaw = isBlind ? 1n : market.quote(ledger, 'buy', lamports);
    if (expectedOutRaw === 0n) return false;
    const trade: Trade = {
      market,
      trader: person.address,
      side: 'buy',
      amountInRaw: lamports,
      minOutRaw: isBlind ? 1n : shareOf(expectedOutRaw, 1 - slippage),
      expectedOutRaw,
      closes: false,
      ...styleOf(request),
    };
    const order = this.orderOf(trade, request);
    this.sendLater(request, () => {
      if (isExposed && this.attention.tellPending({ interest, trade, order })) return;
      this.world.send(order, request.placement);
    });
    return true;
  }

  /** Returns false if there is nothing to sell, or the pool pays nothing for it. */
  sell(request: SellRequest): boolean {
    const { person, market, interest, share, slippage } = request;
    const held = heldRaw(this.world, person, interest.mint);
    const { ledger } = this.world.chain;
    const isAll = share >= 1;
    const amountInRaw = isAll ? held : shareOf(held, share);
    const expectedOutRaw = market.quote(ledger, 'sell', amountInRaw);
    if (amountInRaw === 0n || expectedOutRaw === 0n) return false;
    const trade: Trade = {
      market,
      trader: person.address,
      side: 'sell',
      amountInRaw,
      minOutRaw: shareOf(expectedOutRaw, 1 - slippage),
      expectedOutRaw,
      // An account with withheld fees cannot be closed.
      closes: isAll && ledger.mint(interest.mint).transferFee === null,
      ...styleOf(request),
    };
    const order = this.orderOf(trade, request);
    this.sendLater(request, () => this.world.send(order, request.placement));
    return true;
  }

  private sendLater({ delayMs = 0 }: OrderRequest, send: () => void): void {
    if (delayMs === 0) send();
    else this.world.after(delayMs, send);
  }

  private orderOf(trade: Trade, { onDone, onFailed }: OrderRequest): Order {
    return {
      ...tradeOrder(this.world.tokenAccounts, trade),
      onLanded: ({ isFailed }) => (isFailed ? onFailed?.() : onDone?.()),
      onDropped: () => onFailed?.(),
    };
  }
}

function styleOf({
  person,
  tip = null,
  priority = 0,
}: OrderRequest): Pick<Trade, 'client' | 'tip' | 'priority'> {
  return { client: person.client, tip, priority };
}
