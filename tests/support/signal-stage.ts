import fc from 'fast-check';
import type { SolTransfer } from '../../src/model/chain-event.ts';
import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Address, Lamports, RawAmount } from '../../src/model/units.ts';
import type { SignalModel } from '../../src/signals/features/signal-model.ts';
import { createRandomMinute } from '../../src/signals/models/random-minute.ts';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from './build-facts.ts';
import { address } from './build-transaction.ts';
import { SOL, START_MS, SUPPLY } from './master-fixture.ts';

/**
 * Markets in which minutes end often: two tokens, each with a curve of 500 SOL by the constant
 * product, one of them with a second curve of 100 SOL, a dozen wallets with small balances, and
 * pauses from one slot to more than three days, so that windows, cool-downs, positions and outcomes
 * all expire.
 */
const WALLETS = 12;
const FIRST_SLOT = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const tradePlan = fc.record({
  curve: fc.constantFrom(0, 0, 0, 1, 2),
  wallet: fc.nat(WALLETS - 1),
  isSale: fc.boolean(),
  /**
   * Share of the pool's quote in thousandths; two thirds of the values move the price by a jump or
   * more.
   */
  share: fc.constantFrom(1, 2, 5, 20, 40, 150, 300),
});

const slotPlan = fc.record({
  slots: fc.constantFrom(1, 1, 1, 2, 5),
  elapsedMs: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(400, 2_000, 20_000, MINUTE_MS, 3 * MINUTE_MS) },
    { weight: 2, arbitrary: fc.constantFrom(HOUR_MS, 7 * HOUR_MS) },
    { weight: 1, arbitrary: fc.constantFrom(26 * HOUR_MS, 80 * HOUR_MS) },
  ),
  trades: fc.array(tradePlan, { maxLength: 4 }),
});

type SlotPlan = typeof slotPlan extends fc.Arbitrary<infer Plan> ? Plan : never;
type TradePlan = SlotPlan['trades'][number];

/** The slots of a scripted story, played by the same market. */
export function playSlots(plans: readonly SlotPlan[]): SlotFacts[] {
  return new Stage().play(plans);
}

/** Slots from 1,000 on; the first one launches all tokens. */
export function signalSlots(lengths: {
  readonly minLength: number;
  readonly maxLength: number;
}): fc.Arbitrary<SlotFacts[]> {
  return fc.array(slotPlan, lengths).map((plans) => new Stage().play(plans));
}

/** A model that signals whenever no veto applies and its cool-down is over. */
function always(name: SignalModel['name'], coolDownMinutes: number): SignalModel {
  const { card, parameters } = createRandomMinute('');
  return {
    name,
    card,
    parameters: { ...parameters, coolDownMinutes, conditions: {} },
    measure: ({ window }) => ({ close: window.close, buyers: window.organicBuyers(5) }),
  };
}

/** A model with outcomes of a month, and the control, with outcomes of a day. */
export const TALKATIVE_MODELS: readonly SignalModel[] = [
  always('organic_momentum', 5),
  always('random_minute', 2),
];

class Stage {
  private readonly curves = [
    new Curve({ token: 'one', name: 'one', parts: 1n, held: new Map() }),
    new Curve({ token: 'two', name: 'two', parts: 1n, held: new Map() }),
  ];

  constructor() {
    const [one] = this.curves;
    if (one !== undefined) this.curves.push(one.beside('one again', 5n));
  }

  play(plans: readonly SlotPlan[]): SlotFacts[] {
    const facts = [slotFacts(FIRST_SLOT, START_MS, this.curves.map(toLaunch))];
    let [slot, timeMs] = [FIRST_SLOT, START_MS];
    for (const { slots, elapsedMs, trades } of plans) {
      slot += slots;
      timeMs += elapsedMs;
      const transactions = trades.flatMap((trade) => this.curves[trade.curve]?.trade(trade) ?? []);
      facts.push(slotFacts(slot, timeMs, transactions.map(numbered)));
    }
    return facts;
  }
}

function toLaunch(curve: Curve, txIndex: number): TransactionFacts {
  return numbered(curve.launch(), txIndex);
}

function numbered(transaction: TransactionFacts, txIndex: number): TransactionFacts {
  return { ...transaction, txIndex };
}

interface CurvePlan {
  readonly token: string;
  readonly name: string;
  /** Divisor of 500 SOL and of the supply. */
  readonly parts: bigint;
  /** Balances of the token by owner. */
  readonly held: Map<Address, bigint>;
}

class Curve {
  private readonly mint: Address;
  private readonly pool: Address;
  private readonly creator: Address;
  private readonly plan: CurvePlan;
  private baseRaw: bigint;
  private quoteRaw: bigint;

  constructor(plan: CurvePlan) {
    this.plan = plan;
    this.mint = address(`token ${plan.token}`);
    this.pool = address(`curve ${plan.name}`);
    this.creator = address(`creator ${plan.name}`);
    this.baseRaw = SUPPLY / plan.parts;
    this.quoteRaw = (500n * SOL) / plan.parts;
  }

  /** Another curve of the same token at the same price. */
  beside(name: string, parts: bigint): Curve {
    return new Curve({ ...this.plan, name, parts });
  }

  /** The creator makes a payment first, so that payments are known. */
  launch(): TransactionFacts {
    const paid: SolTransfer = {
      kind: 'solTransfer',
      outerIx: 9,
      innerIx: -1,
      transferKind: 'transfer',
      from: this.creator,
      to: address('friend'),
      lamports: (2n * SOL) as Lamports,
    };
    const { pool, mint, creator, baseRaw, quoteRaw } = this;
    const minted = supplyChange('mintTo', mint, SUPPLY, 1);
    return transactionFacts({
      txIndex: 0,
      signers: [creator],
      events: [
        ...(this.plan.parts === 1n ? [mintCreated(mint), minted] : []),
        poolCreated(baseRaw, quoteRaw, { venue: 'pump', pool, baseMint: mint, creator }),
        paid,
      ],
      tokenBalances: [this.moved(pool, baseRaw)],
    });
  }

  /** No trade when a wallet has nothing to sell. */
  trade({ wallet, isSale, share }: TradePlan): TransactionFacts[] {
    const trader = address(`wallet ${wallet}`);
    const product = this.baseRaw * this.quoteRaw;
    const held = this.plan.held.get(trader) ?? 0n;
    const wanted = (this.baseRaw * BigInt(share)) / 2_000n;
    const sold = held < wanted ? held : wanted;
    if (isSale && sold === 0n) return [];
    const quoteRaw = isSale
      ? this.quoteRaw - product / (this.baseRaw + sold)
      : (this.quoteRaw * BigInt(share)) / 1_000n;
    const baseRaw = isSale ? sold : this.baseRaw - product / (this.quoteRaw + quoteRaw);
    this.baseRaw += isSale ? baseRaw : -baseRaw;
    this.quoteRaw += isSale ? -quoteRaw : quoteRaw;
    return [this.swapped(trader, isSale ? 'sell' : 'buy', baseRaw, quoteRaw)];
  }

  private swapped(
    trader: Address,
    side: 'buy' | 'sell',
    baseRaw: bigint,
    quoteRaw: bigint,
  ): TransactionFacts {
    const gained = side === 'buy' ? baseRaw : -baseRaw;
    const reserves = {
      base: this.baseRaw as RawAmount,
      quote: this.quoteRaw as RawAmount,
      virtualBase: null,
      virtualQuote: null,
    };
    const { pool, mint: baseMint } = this;
    return transactionFacts({
      txIndex: 0,
      signers: [trader],
      events: [
        swapEvent({ trader, side, baseRaw, quoteRaw }, { venue: 'pump', pool, baseMint, reserves }),
      ],
      tokenBalances: [this.moved(trader, gained), this.moved(pool, -gained)],
    });
  }

  private moved(owner: Address, delta: bigint) {
    const before = this.plan.held.get(owner) ?? 0n;
    this.plan.held.set(owner, before + delta);
    const account = `${owner} account of ${this.mint}` as Address;
    return balanceChange(owner, before, before + delta, { mint: this.mint, account });
  }
}
