import type { Address, Lamports } from '../../src/model/units.ts';
import type { Order } from '../market/order.ts';
import type { World } from '../market/world.ts';
import { transferLamports } from '../programs/system.ts';
import type { Random } from '../random.ts';

/** Wallets that many people's money comes from. Their lamports are there before the first slot. */
export interface ExchangeWallets {
  readonly hotWallets: readonly Address[];
  /** Pay out one by one what was sent from other chains. Empty: exchanges do that as well. */
  readonly bridges: readonly Address[];
}

interface Withdrawal {
  readonly to: Address;
  readonly lamports: bigint;
  readonly onPaid: () => void;
}

/** Payments one transaction has room for, and how long an exchange gathers them. */
const BATCH_MAX = 10;
const BATCH_DELAY_MS = { least: 1_000, most: 6_000 } as const;
/** What exchanges keep of a withdrawal. */
const WITHDRAWAL_FEE_LAMPORTS = 1_000_000n;
const PAYOUT_UNITS = { unitLimit: 60_000, priceMicroLamports: 20_000n } as const;

/** Pays people out: exchanges several in one transaction, bridges one by one. */
export class Exchanges {
  private readonly world: World;
  private readonly wallets: ExchangeWallets;
  private readonly random: Random;
  private readonly waiting = new Map<Address, Withdrawal[]>();

  /** Throws RangeError without a hot wallet. */
  constructor(world: World, wallets: ExchangeWallets) {
    if (wallets.hotWallets.length === 0) throw new RangeError('no exchange has a hot wallet');
    this.world = world;
    this.wallets = wallets;
    this.random = world.random.fork('exchanges');
  }

  /**
   * Orders a withdrawal; what arrives is the fee less. Returns the hot wallet that will pay, which is
   * the one given or any.
   */
  withdraw(
    to: Address,
    lamports: bigint,
    onPaid: () => void = nothing,
    hotWallet: Address = this.random.pick(this.wallets.hotWallets),
  ): Address {
    const withdrawal = { to, lamports: lamports - WITHDRAWAL_FEE_LAMPORTS, onPaid };
    const waiting = this.waiting.get(hotWallet);
    if (waiting !== undefined) {
      waiting.push(withdrawal);
      return hotWallet;
    }
    this.waiting.set(hotWallet, [withdrawal]);
    const delayMs = this.random.between(BATCH_DELAY_MS.least, BATCH_DELAY_MS.most);
    this.world.after(Math.round(delayMs), () => this.pay(hotWallet));
    return hotWallet;
  }

  /** Pays out of a bridge, in a transaction of its own. */
  bridge(to: Address, lamports: bigint, onPaid: () => void = nothing): void {
    const { bridges, hotWallets } = this.wallets;
    const payer = this.random.pick(bridges.length === 0 ? hotWallets : bridges);
    this.send(payer, [{ to, lamports, onPaid }]);
  }

  private pay(hotWallet: Address): void {
    const waiting = this.waiting.get(hotWallet) ?? [];
    this.waiting.delete(hotWallet);
    for (let start = 0; start < waiting.length; start += BATCH_MAX) {
      this.send(hotWallet, waiting.slice(start, start + BATCH_MAX));
    }
  }

  private send(payer: Address, withdrawals: readonly Withdrawal[]): void {
    this.world.send(payoutOrder(payer, withdrawals));
  }
}

function payoutOrder(payer: Address, withdrawals: readonly Withdrawal[]): Order {
  return {
    feePayer: payer,
    computeBudget: PAYOUT_UNITS,
    priority: 20_000,
    build(execution) {
      for (const { to, lamports } of withdrawals) transferLamports(execution, payer, to, lamports);
    },
    onLanded({ isFailed }) {
      if (!isFailed) for (const { onPaid } of withdrawals) onPaid();
    },
  };
}

/** Amounts as people type them, made uneven by what they leave behind: up to a tenth less. */
export function jittered(random: Random, lamports: bigint): Lamports {
  return ((lamports * BigInt(9_000 + random.below(1_000))) / 10_000n) as Lamports;
}

function nothing(): void {
  // Nobody waits for the payment.
}
