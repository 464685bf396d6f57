import type { Address } from '../../src/model/units.ts';
import type { Crew } from './crew.ts';
import { evenGroups, partOf, passOnOrder, paymentOrder } from './orders.ts';
import { tradeElsewhere } from './past-trades.ts';
import type { Payment, ScenarioContext } from './scenario.ts';
import { pause, type Script, together } from './script.ts';
import { landWithRetries } from './sending.ts';

/** Maximum payments per private transaction, and wallets per intermediary. */
const PAYMENTS_PER_TRANSACTION = 5;
const WALLETS_PER_CHAIN_MAX = 3;
/** Lamports an intermediary needs to forward a payment. */
const STATION_LAMPORTS = 60_000n;
/** Lamports that a wallet with many payments keeps for fees. */
const FUNDER_RESERVE_LAMPORTS = 20_000_000n;
/** Mean time between the exchange withdrawals of one crew. */
const WITHDRAWAL_GAP_MS = 9_000;

/** Lets an exchange pay a wallet, from the given hot wallet or any, and waits for the payment. */
export function* withdraw(
  { exchanges }: ScenarioContext,
  wallet: Address,
  lamports: bigint,
  hotWallet?: Address,
): Script {
  yield (resume) => {
    exchanges.withdraw(wallet, lamports, resume, hotWallet);
  };
}

/**
 * Funds the crew according to the knobs: a share of the wallets directly from exchanges, the others
 * from a private payer, over as many intermediaries as there are hops. Wallets with a history keep
 * trading meanwhile. Returns when all are funded.
 */
export function* fundCrew(
  crew: Crew,
  payments: readonly Payment[],
  mint: Address,
  payer: Address | null = null,
): Script {
  const { context, knobs } = crew;
  const { random } = context;
  const generous = payments.map(({ wallet, lamports }) => ({
    wallet,
    lamports: partOf(lamports, 1 + random.between(0, knobs.fundingJitter)),
  }));
  const hubCount = Math.round(generous.length * knobs.hubShare);
  const shuffled = random.shuffle(generous);
  const [hub, own] = [shuffled.slice(0, hubCount), shuffled.slice(hubCount)];
  yield* together([
    payFromExchanges(crew, hub),
    ...(own.length === 0 ? [] : [payPrivately(crew, own, payer)]),
    ...crew.veterans.map((wallet) => tradeElsewhere(context, wallet, mint)),
  ]);
}

function* payFromExchanges(crew: Crew, payments: readonly Payment[]): Script {
  const { context } = crew;
  for (const { wallet, lamports } of payments) {
    yield* pause(context.world, context.random.exponential(WITHDRAWAL_GAP_MS));
    yield* withdraw(context, wallet, lamports);
    crew.noteFunding(context.world.slot);
  }
}

/** Without a payer, an exchange funds a fresh one first. */
function* payPrivately(crew: Crew, payments: readonly Payment[], payer: Address | null): Script {
  const { context, knobs } = crew;
  const { random } = context;
  const chains = knobs.fundingHops === 0 ? [] : chainsOf(crew, payments);
  let from = payer;
  if (from === null) {
    from = crew.open('funding_source');
    const total = payments.reduce((sum, { lamports }) => sum + lamports, 0n);
    const stations = BigInt(knobs.fundingHops * payments.length);
    const needed = total + stations * STATION_LAMPORTS + FUNDER_RESERVE_LAMPORTS;
    yield* withdraw(context, from, partOf(needed, random.between(1.02, 1.15)));
    crew.noteFunding(context.world.slot);
    yield* pause(context.world, random.exponential(knobs.hopDelayMs));
  }
  const source = from;
  if (knobs.fundingHops === 0) yield* payDirectly(crew, source, payments);
  else yield* together(chains.map((chain) => passAlong(crew, source, chain)));
}

function* payDirectly(crew: Crew, from: Address, payments: readonly Payment[]): Script {
  const { context, knobs } = crew;
  for (const group of evenGroups(payments, PAYMENTS_PER_TRANSACTION)) {
    yield* landWithRetries(context.world, paymentOrder(context, from, group));
    crew.noteFunding(context.world.slot);
    yield* pause(context.world, context.random.exponential(knobs.hopDelayMs));
  }
}

interface Chain {
  readonly stations: readonly Address[];
  readonly payments: readonly Payment[];
}

function chainsOf(crew: Crew, payments: readonly Payment[]): Chain[] {
  const { random } = crew.context;
  return evenGroups(payments, 1 + random.below(WALLETS_PER_CHAIN_MAX)).map((group) => ({
    payments: group,
    stations: Array.from({ length: crew.knobs.fundingHops }, () => crew.open('intermediary')),
  }));
}

/** From the payer over all intermediaries to the wallets; each forwards everything it has. */
function* passAlong(crew: Crew, payer: Address, { stations, payments }: Chain): Script {
  const { world, random } = crew.context;
  const total = payments.reduce((sum, { lamports }) => sum + lamports, 0n);
  const lamports = total + STATION_LAMPORTS * BigInt(stations.length);
  yield* pause(world, random.exponential(crew.knobs.hopDelayMs));
  const [first, ...next] = stations;
  if (first === undefined) return;
  yield* landWithRetries(world, paymentOrder(crew.context, payer, [{ wallet: first, lamports }]));
  crew.noteFunding(world.slot);
  let at = first;
  for (const station of next) {
    yield* pause(world, random.exponential(crew.knobs.hopDelayMs));
    yield* landWithRetries(world, passOnOrder(at, [{ wallet: station, lamports: 0n }]));
    at = station;
  }
  yield* pause(world, random.exponential(crew.knobs.hopDelayMs));
  yield* landWithRetries(world, passOnOrder(at, payments));
}
