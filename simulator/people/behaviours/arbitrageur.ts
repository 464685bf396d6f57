import { WRAPPED_SOL } from '../../../src/model/program.ts';
import type { Execution } from '../../chain/execution.ts';
import {
  ensureTokenAccount,
  unwrapLamports,
  wrapLamports,
} from '../../programs/associated-token.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Market } from '../../venues/market.ts';
import { type BehaviourContext, type BehaviourKind, settlers } from '../behaviour.ts';
import { JITO_TIP_ACCOUNTS } from '../tip-accounts.ts';
import type { TipPayment } from '../trade-order.ts';
import { BOT, lamportsOf, lamportsOfSol, lesser, type Person } from '../wallets.ts';

const CAPITAL_SOL = 60;
const LARGEST_SOL = 10;
/** The smallest profit worth a transaction, and the share of the profit that is tipped. */
const LEAST_GAIN_LAMPORTS = 500_000n;
const TIP_DIVISOR = 4n;
/** Of all who see a gap, one or two react. */
const AWAKE_MAX = 2;
/** Smaller price gaps leave no profit after two fees. */
const LEAST_GAP = 0.015;
const SEARCH_STEPS = 24;

/** Programs that buy in one pool and sell in another in the same transaction. */
export const arbitrageur: BehaviourKind = { name: 'arbitrageur', label: BOT, settle };

function settle(context: BehaviourContext, count: number): void {
  if (count === 0) return;
  const { random, attention } = context;
  const people = settlers(context, arbitrageur, count, () => lamportsOfSol(CAPITAL_SOL));
  const own = new Set(people.map(({ address }) => address));
  const lookedAt = new Map<string, number>();
  attention.onTrade((interest, { trader }, { slot }) => {
    if (own.has(trader) || lookedAt.get(interest.mint) === slot) return;
    const markets = interest.openMarkets().filter(({ quoteMint }) => quoteMint === WRAPPED_SOL);
    if (markets.length < 2) return;
    if (lookedAt.size > 1_000) lookedAt.clear();
    lookedAt.set(interest.mint, slot);
    const awake = Math.min(people.length, 1 + random.below(AWAKE_MAX));
    for (let index = 0; index < awake; index++) seize(context, random.pick(people), markets);
  });
}

function seize(context: BehaviourContext, person: Person, markets: readonly Market[]): void {
  const { world, random } = context;
  const { ledger } = world.chain;
  const byPrice = markets.toSorted((one, other) => one.spotPrice(ledger) - other.spotPrice(ledger));
  const [cheap, dear] = [byPrice[0], byPrice.at(-1)];
  if (cheap === undefined || dear === undefined) return;
  if (cheap.takesLamports || dear.takesLamports) return;
  if (dear.spotPrice(ledger) < cheap.spotPrice(ledger) * (1 + LEAST_GAP)) return;
  const found = bestSize(context, person, cheap, dear);
  if (found === null) return;
  const tip = { account: random.pick(JITO_TIP_ACCOUNTS), lamports: found.gain / TIP_DIVISOR };
  world.send({
    feePayer: person.address,
    computeBudget: { unitLimit: 400_000, priceMicroLamports: 10_000n },
    version: 0,
    priority: Number(tip.lamports),
    build: (execution) =>
      buildRoundTrip(execution, context, person, { cheap, dear, lamports: found.lamports, tip }),
  });
}

/** The size with the largest profit: profit has a single peak, so a ternary search applies. */
function bestSize(
  { world }: BehaviourContext,
  person: Person,
  cheap: Market,
  dear: Market,
): { readonly lamports: bigint; readonly gain: bigint } | null {
  const { ledger } = world.chain;
  const gainOf = (lamports: bigint): bigint =>
    dear.quote(ledger, 'sell', cheap.quote(ledger, 'buy', lamports)) - lamports;
  const own = lamportsOf(world, person) / 2n;
  const largest = lamportsOfSol(LARGEST_SOL);
  let [low, high] = [0n, lesser(own, largest)];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const third = (high - low) / 3n;
    if (gainOf(low + third) < gainOf(high - third)) low += third;
    else high -= third;
  }
  const gain = gainOf(low);
  return gain < LEAST_GAIN_LAMPORTS ? null : { lamports: low, gain };
}

/** Fails on chain if another trader was faster: the proceeds must cover the tip. */
function buildRoundTrip(
  execution: Execution,
  { world: { tokenAccounts } }: BehaviourContext,
  { address: trader }: Person,
  trip: {
    readonly cheap: Market;
    readonly dear: Market;
    readonly lamports: bigint;
    readonly tip: TipPayment;
  },
): void {
  const { cheap, dear, lamports, tip } = trip;
  const account = ensureTokenAccount(execution, tokenAccounts, trader, trader, cheap.baseMint);
  const held = execution.ledger.heldRaw(account);
  wrapLamports(execution, tokenAccounts, trader, lamports);
  cheap.swap(execution, { trader, side: 'buy', amountInRaw: lamports, minOutRaw: 1n });
  const bought = execution.ledger.heldRaw(account) - held;
  const minOutRaw = lamports + tip.lamports;
  dear.swap(execution, { trader, side: 'sell', amountInRaw: bought, minOutRaw });
  unwrapLamports(execution, tokenAccounts, trader);
  transferLamports(execution, trader, tip.account, tip.lamports);
}
