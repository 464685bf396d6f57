import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import { asSlot } from '../../src/model/units.ts';
import { addLaunch } from './add-launch.ts';
import { addLiquidity } from './add-liquidity.ts';
import { addMigration } from './add-migration.ts';
import { addTrade } from './add-trade.ts';
import {
  addFailure,
  addFunding,
  addPayment,
  addTokenLock,
  addTokenTransfer,
} from './add-transfers.ts';
import type { MarketContext } from './market-context.ts';
import { FIRST_SLOT, type MarketOptions, SLOT_MS, START_MS } from './market-options.ts';
import { type MarketCounters, MarketState } from './market-state.ts';
import { MintMarkets } from './mint-markets.ts';

/** Other transactions per trade. Mainnet has more failures, but they leave the state alone. */
const OTHERS = [
  { share: 0.4, add: addFailure },
  { share: 0.05, add: addPayment },
  { share: 0.02, add: addTokenTransfer },
  { share: 0.002, add: addTokenLock },
  { share: 0.001, add: addLiquidity },
] as const;
/** Wallets considered for a payment per slot, per swap of it. */
const FUNDED_PER_SWAP = 0.2;
const VOTES = 700;

/**
 * A market that grows as mainnet does, slot by slot, as decoded facts: curves and pools, quoted in
 * SOL and dollars, that keep their constant product; bots, snipers, regulars and wallets that come
 * once; launches of which most die and few migrate; payments that fund wallets, transfers, locks,
 * liquidity and failures. Each token account's balance continues where it ended.
 *
 * The next slot follows from the options and from a state of bounded size, which can be stored. In
 * memory it takes 41 bytes a mint and 25 MB of positions that may still be sold, whatever was made
 * before.
 */
export class GrowingMarket {
  private readonly options: MarketOptions;
  private readonly state: MarketState;
  private readonly markets: MintMarkets;

  /** Starts before the first slot, or continues from what `toBytes` of another market returned. */
  constructor(options: MarketOptions, stored: Uint8Array | null = null) {
    this.options = options;
    this.state = stored === null ? new MarketState(options) : MarketState.fromBytes(stored);
    this.markets = new MintMarkets(this.state);
    if (stored === null) this.markets.addFirstRows();
  }

  /** What was made so far. */
  get counters(): Readonly<MarketCounters> {
    return this.state.counters;
  }

  /** The slot that `next` makes. */
  get nextSlot(): number {
    return FIRST_SLOT + this.state.counters.slots;
  }

  /** The state after the last slot, for the constructor. */
  toBytes(): Uint8Array {
    return this.state.toBytes();
  }

  /** Makes the next slot. */
  next(): SlotFacts {
    const { options, state, markets } = this;
    const { counters, random } = state;
    const transactions: TransactionFacts[] = [];
    const market: MarketContext = { options, state, markets, transactions };
    markets.beginSlot();
    const { swapsPerSlot } = options;
    const wanted = Math.round(swapsPerSlot * (0.8 + 0.4 * random.share()));
    const end = counters.swaps + Math.max(1, wanted);
    addFunding(market, Math.ceil(wanted * FUNDED_PER_SWAP));
    while (counters.swaps < end) addNext(market);
    return this.toFacts(counters.slots++, transactions);
  }

  private toFacts(index: number, transactions: readonly TransactionFacts[]): SlotFacts {
    const moving = countMoving(transactions);
    return {
      slot: asSlot(FIRST_SLOT + index),
      parentSlot: asSlot(FIRST_SLOT + index - 1),
      blockhash: blockhashOf(FIRST_SLOT + index),
      previousBlockhash: blockhashOf(FIRST_SLOT + index - 1),
      blockTimeMs: START_MS + Math.floor((index * SLOT_MS) / 1_000) * 1_000,
      isWhole: true,
      decoderVersion: 1_000,
      voteCount: VOTES,
      transactions,
      outcomes: {},
      poolMovingCount: moving,
      explainedCount: moving,
      problems: [],
    };
  }
}

/** The hash of the block of a slot. */
export function blockhashOf(slot: number): string {
  return `block ${slot - FIRST_SLOT}`;
}

/** A launch when one is due, a migration when a curve is complete, otherwise a trade and others. */
function addNext(market: MarketContext): void {
  const { options, state } = market;
  const { counters, random } = state;
  if (counters.migrating > 0) addMigration(market);
  else if (isLaunchDue(market)) addLaunch(market);
  else addTrade(market);
  if (options.newWalletShare >= 1) return;
  for (const { share, add } of OTHERS) {
    if (random.isWithin(share)) add(market);
  }
}

function isLaunchDue({ options, state: { counters } }: MarketContext): boolean {
  return counters.launches < options.launchShare * (counters.swaps + 1);
}

function countMoving(transactions: readonly TransactionFacts[]): number {
  let moving = 0;
  for (const { events } of transactions) {
    if (events.some(({ kind }) => kind === 'swap')) moving++;
  }
  return moving;
}
