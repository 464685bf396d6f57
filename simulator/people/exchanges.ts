import { type Address, asLamports, type Lamports } from '../../src/model/units.ts';
import type { Order } from '../market/order.ts';
import type { World } from '../market/world.ts';
import { transferLamports } from '../programs/system.ts';
import type { Random } from '../random/random.ts';

/** Wallets that fund many people. Their lamports exist before the first slot. */
export interface ExchangeWallets {
  readonly hotWallets: readonly Address[];
  /** Pay out transfers from other chains one by one. Empty: exchanges do that as well. */
  readonly bridges: readonly Address[];
}

interface Withdrawal {
  readonly to: Address;
  readonly lamports: bigint;
  readonly onPaid: () => void;
}

/** Payments per transaction, and how long an exchange collects them. */
const BATCH_MAX = 10;
const BATCH_DELAY_MS = { least: 1_000, most: 6_000 } as const;
/** An exchange's fee for a withdrawal. */
const WITHDRAWAL_FEE_LAMPORTS = 1_000_000n;
const PAYOUT_UNITS = { unitLimit: 60_000, priceMicroLamports: 20_000n } as const;

/** Pays people out: exchanges in batches, bridges one by one. */
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
   * Requests a withdrawal; the recipient gets the amount minus the fee. Returns the hot wallet that
   * will pay: the given one, or any.
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
    const delayMs = this.random.within(BATCH_DELAY_MS);
    this.world.after(Math.round(delayMs), () => this.pay(hotWallet));
    return hotWallet;
  }

  /** Pays out through a bridge, in a separate transaction. */
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

/** A typed amount made uneven by leaving up to a tenth behind. */
export function jittered(random: Random, lamports: bigint): Lamports {
  return asLamports((lamports * BigInt(9_000 + random.below(1_000))) / 10_000n);
}

function nothing(): void {
  // The default callback does nothing.
}
