import type { Address } from '../../../src/model/units.ts';
import type { TradeFact } from '../attention.ts';
import { type BehaviourContext, type BehaviourKind, settler } from '../behaviour.ts';
import { BUYER_STRATEGY } from '../crowd-member.ts';
import { buyAndHold, type ExitStrategy } from '../holding.ts';
import type { TokenInterest } from '../token-interest.ts';
import { BOT, drawLamports, lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL = { medianSol: 25, spread: 0.5 } as const;
const SIZE_SOL = [0.1, 0.2, 0.25, 0.5] as const;
const LEADERS = { least: 1, most: 3 } as const;
/** Delay after the block of the leader's trade, in milliseconds: one to five slots. */
const LAG_MS = { least: 300, most: 1_800 } as const;
/**
 * A leader must recover this multiple of the purchase price, this many times, and in this share of
 * its tokens.
 */
const WIN_MULTIPLE = { dividend: 3n, divisor: 2n } as const;
const WINS_WANTED = 3;
const WIN_SHARE_WANTED = 0.4;
/** Sells before the leader only after a large loss, or much later on its own. */
const STRATEGY: ExitStrategy = {
  ...BUYER_STRATEGY,
  holdMedianMs: 40 * 60_000,
  takeProfit: [8, 20],
  stopLoss: [0.25, 0.4],
  reactionMs: 500,
  slippage: { median: 0.15, spread: 0.5 },
  latencyMs: 0,
};

interface CopyTrader {
  readonly person: Person;
  readonly sizeLamports: bigint;
  readonly leadersWanted: number;
  leaders: number;
}

/** Programs that copy the trades of a successful wallet one to five slots later. */
export const copyTrader: BehaviourKind = { name: 'copyTrader', label: BOT, settle };

function settle(context: BehaviourContext, count: number): void {
  const copiers = Array.from({ length: count }, () => newCopier(context));
  const orders = new CopyOrders(context, copiers);
  context.attention.onTrade((interest, trade) => orders.see(interest, trade));
}

function newCopier(context: BehaviourContext): CopyTrader {
  const { random } = context;
  const lamports = drawLamports(random, CAPITAL);
  return {
    person: settler(context, copyTrader, lamports),
    sizeLamports: lamportsOfSol(random.pick(SIZE_SOL)),
    leadersWanted: LEADERS.least + random.below(LEADERS.most - LEADERS.least + 1),
    leaders: 0,
  };
}

/** Maximum number of records about wallets in single tokens that identify successful ones. */
const RECORDS_MAX = 4_096;

class CopyOrders {
  private readonly context: BehaviourContext;
  private readonly seekers: CopyTrader[];
  private readonly own: ReadonlySet<Address>;
  private readonly followers = new Map<Address, CopyTrader[]>();
  /** By wallet and mint: lamports paid and not yet recovered at the required multiple. */
  private readonly paid = new Map<string, bigint>();
  private readonly records = new Map<Address, { tokens: number; wins: number }>();

  constructor(context: BehaviourContext, copiers: readonly CopyTrader[]) {
    this.context = context;
    this.seekers = [...copiers];
    this.own = new Set(copiers.map(({ person }) => person.address));
  }

  see(interest: TokenInterest, trade: TradeFact): void {
    if (this.own.has(trade.trader)) return;
    for (const copier of this.followers.get(trade.trader) ?? []) {
      this.follow(copier, interest, trade);
    }
    if (this.seekers.length > 0) this.judge(trade);
  }

  private follow(copier: CopyTrader, interest: TokenInterest, { side }: TradeFact): void {
    const { world, random } = this.context;
    const { person, sizeLamports } = copier;
    const lagMs = random.wholeWithin(LAG_MS);
    world.after(lagMs, () => {
      const holder = interest.holders.get(person.address);
      if (side === 'sell') holder?.leave(1);
      else if (holder === undefined) {
        const entry = { person, interest, lamports: sizeLamports, strategy: STRATEGY };
        buyAndHold(this.context, { ...entry, priority: 300_000 });
      }
    });
  }

  /** A wallet that repeatedly sold for far more than it paid gets a follower. */
  private judge({ trader, baseMint, side, quoteRaw }: TradeFact): void {
    const key = `${trader}/${baseMint}`;
    const before = this.paid.get(key) ?? 0n;
    if (side === 'buy') {
      if (before === 0n) this.recordOf(trader).tokens++;
      remember(this.paid, key, before + quoteRaw);
    } else if (before > 0n) this.book(trader, key, before, quoteRaw);
  }

  private book(trader: Address, key: string, before: bigint, quoteRaw: bigint): void {
    const left = before - (quoteRaw * WIN_MULTIPLE.divisor) / WIN_MULTIPLE.dividend;
    if (left > 0n) {
      this.paid.set(key, left);
      return;
    }
    this.paid.delete(key);
    const record = this.recordOf(trader);
    record.wins++;
    const { wins, tokens } = record;
    if (wins >= WINS_WANTED && wins >= WIN_SHARE_WANTED * tokens) this.assign(trader);
  }

  private recordOf(trader: Address): { tokens: number; wins: number } {
    const record = this.records.get(trader) ?? { tokens: 0, wins: 0 };
    remember(this.records, trader, record);
    return record;
  }

  private assign(leader: Address): void {
    const index = this.context.random.below(this.seekers.length);
    const copier = this.seekers[index] as CopyTrader;
    const followers = this.followers.get(leader) ?? [];
    if (followers.includes(copier)) return;
    this.followers.set(leader, [...followers, copier]);
    copier.leaders++;
    if (copier.leaders === copier.leadersWanted) this.seekers.splice(index, 1);
  }
}

/** Keeps the newest entries. */
function remember<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= RECORDS_MAX) return;
  const oldest = entries.keys().next();
  if (oldest.done !== true) entries.delete(oldest.value);
}
