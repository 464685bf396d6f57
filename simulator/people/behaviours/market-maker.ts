import {
  ensureTokenAccount,
  TOKEN_ACCOUNT_RENT,
  wrapLamports,
} from '../../programs/associated-token.ts';
import { type Market, pricingReserves } from '../../venues/market.ts';
import { planRaydiumCpmm } from '../../venues/raydium-cpmm.ts';
import { type BehaviourContext, type BehaviourKind, settlers } from '../behaviour.ts';
import type { TokenInterest } from '../token-interest.ts';
import { BOT, heldRaw, lamportsOf, lamportsOfSol, type Person } from '../wallets.ts';

const CAPITAL_SOL = 400;
/** Its initial purchase; half of it becomes a second pool. */
const INVENTORY_SOL = 12;
const POOL_RESERVE_LAMPORTS = lamportsOfSol(6);
const QUOTE_SOL = { least: 0.3, most: 1.2 } as const;
const EVERY_MS = 12_000;
/** Weight of the newest price in the fair price. */
const FAIR_WEIGHT = 0.3;
/** Minimum distance from the target price for a trade; pool fees are about one per cent. */
const EDGE = 0.02;
const SLIPPAGE = 0.02;
/** An empty inventory raises the target price by this much, a doubled one lowers it by as much. */
const SKEW = 0.1;
/** Maximum inventory, as a multiple of the initial one. */
const STOCK_MOST = 2n;
const SOLD_AT_ONCE_MOST = 0.5;
const POOL_UNITS = { unitLimit: 500_000, priceMicroLamports: 50_000n } as const;

/** Programs that quote both sides of a migrated token, and open a second pool for it. */
export const marketMaker: BehaviourKind = { name: 'marketMaker', label: BOT, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { attention } = context;
  const makers = settlers(context, marketMaker, count, () => lamportsOfSol(CAPITAL_SOL));
  let next = 0;
  attention.onMigrated((interest) => {
    const maker = makers[next++ % makers.length] as Person;
    new Quoting(context, maker, interest).begin();
  });
}

class Quoting {
  private readonly context: BehaviourContext;
  private readonly maker: Person;
  private readonly interest: TokenInterest;
  private fair = 0;
  private startRaw = 0n;

  constructor(context: BehaviourContext, maker: Person, interest: TokenInterest) {
    this.context = context;
    this.maker = maker;
    this.interest = interest;
  }

  begin(): void {
    const { orders, random } = this.context;
    const { maker: person, interest } = this;
    const market = interest.pickMarket(random);
    const lamports = lamportsOfSol(INVENTORY_SOL);
    if (market === null || lamportsOf(this.context.world, person) < 3n * lamports) return;
    const onDone = (): void => this.open(market);
    orders.buy({ person, interest, market, lamports, slippage: 0.3, onDone });
  }

  /** Opens a second pool at the price of the first. */
  private open(market: Market): void {
    const { world } = this.context;
    const { maker, interest } = this;
    this.fair = interest.price();
    const { ledger } = world.chain;
    const { baseRaw, quoteRaw } = pricingReserves(market, ledger);
    const quoteSide = POOL_RESERVE_LAMPORTS;
    const baseSide = quoteRaw === 0n ? 0n : (baseRaw * quoteSide) / quoteRaw;
    this.startRaw = heldRaw(world, maker, interest.mint) - baseSide;
    if (baseSide === 0n || this.startRaw <= 0n) return;
    this.plan();
    const { baseMint, quoteMint } = market;
    const planned = planRaydiumCpmm(world, { baseMint, quoteMint });
    world.send({
      feePayer: maker.address,
      signers: planned.createSigners,
      computeBudget: POOL_UNITS,
      build(execution) {
        const { address } = maker;
        wrapLamports(execution, world.tokenAccounts, address, quoteSide + TOKEN_ACCOUNT_RENT);
        ensureTokenAccount(execution, world.tokenAccounts, address, address, baseMint);
        planned.create(execution, address, baseSide, quoteSide);
      },
      onLanded: ({ isFailed }) => {
        if (isFailed) return;
        world.addMarket(planned.pool);
        interest.follow(planned.pool.pool);
      },
    });
  }

  private plan(): void {
    const { world, random } = this.context;
    world.after(Math.round(random.exponential(EVERY_MS)), () => {
      if (this.interest.isOver) return;
      this.quote();
      this.plan();
    });
  }

  private quote(): void {
    const { world, random } = this.context;
    const { maker: person, interest } = this;
    const price = interest.price();
    if (price === 0) return;
    const held = heldRaw(world, person, interest.mint);
    const aim = this.fair * (1 + SKEW * (1 - Number(held) / Number(this.startRaw)));
    const gap = price / aim - 1;
    this.fair += (price - this.fair) * FAIR_WEIGHT;
    const market = interest.openMarkets()[0];
    if (market === undefined || Math.abs(gap) < EDGE) return;
    const lamports = lamportsOfSol(random.within(QUOTE_SOL));
    const request = { person, interest, market, slippage: SLIPPAGE };
    if (gap < 0 && held < STOCK_MOST * this.startRaw)
      this.context.orders.buy({ ...request, lamports });
    const share = Number(lamports) / (Number(held) * price);
    if (gap > 0 && share < SOLD_AT_ONCE_MOST) this.context.orders.sell({ ...request, share });
  }
}
