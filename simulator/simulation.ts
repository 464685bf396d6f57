import type { Address } from '../src/model/units.ts';
import { Chain } from './chain/chain.ts';
import { Keyring } from './chain/keyring.ts';
import { SlotSchedule } from './chain/slot-schedule.ts';
import { Validators } from './chain/votes.ts';
import { LaunchStream } from './launches/launch-stream.ts';
import { PoolLaunchStream } from './launches/pool-launch-stream.ts';
import { SecondWaves } from './launches/second-wave.ts';
import { commonLookupTables } from './market/common-accounts.ts';
import { createGenesis, type Genesis } from './market/genesis.ts';
import { PricePath } from './market/price-path.ts';
import { PumpCranks } from './market/pump-cranks.ts';
import { SolPriceKeeper } from './market/sol-price-keeper.ts';
import { tradeStyles } from './market/trade-styles.ts';
import { type ChainStep, World } from './market/world.ts';
import { Crowd } from './people/crowd/crowd.ts';
import { Exchanges } from './people/exchanges.ts';
import { PostLedger } from './posts/post-ledger.ts';
import { SocialFeed, toFeedMoment } from './posts/social-feed.ts';
import type { FeedEntry } from './posts/social-post.ts';
import { type SocialToken, SocialTokens } from './posts/social-tokens.ts';
import { Random } from './random/random.ts';
import { ScenarioStream } from './scenarios/schedule/scenario-stream.ts';
import type { SimulationConfig } from './simulation-config.ts';
import { TruthBook } from './truth/truth-book.ts';

/** A running market: the same configuration gives the same steps. */
export interface Simulation {
  readonly world: World;
  readonly truth: TruthBook;
  /** The price of a SOL in dollars at a time within the current slot. */
  readonly solUsd: PricePath;
  /** The ground truth about posts, minute by minute. */
  readonly posts: PostLedger;
  /** The token whose metadata has this URI; null if there is none. */
  tokenAt(uri: string): SocialToken | null;
  /** Advances one slot; null if it has no block. */
  step(): ChainStep | null;
  /** Records posted, edited and deleted since the last call. */
  takePosts(): readonly FeedEntry[];
}

/** Posts that are not taken are dropped beyond twice this number; then this many are kept. */
const POSTS_KEPT_MAX = 100_000;

const SOL_PRICE = {
  startUsd: 180,
  yearlyVolatility: 0.8,
  jumpsPerDay: 4,
  jumpSize: 0.02,
} as const;
/** A schedule needs several leaders even without voting. */
const LEADERS_MIN = 4;

const BRIDGES = 2;
const BRIDGE_LAMPORTS = 500_000_000_000_000n;
/**
 * A fall of SOL by this share from its recent high is a crash, in which this share of holders
 * sells.
 */
const CRASH_SHARE = 0.03;
const PANIC_SHARE = 0.4;
const LOOK_EVERY_MS = 10_000;
/** Decay of the high per check, so that a slow fall is not a crash. */
const HIGH_FADES = 0.9995;

export function createSimulation(config: SimulationConfig): Simulation {
  const random = new Random(`simulation/${config.seed}`);
  const truth = new TruthBook();
  const world = createWorld(config, random, truth);
  const solUsd = new PricePath(random.fork('sol'), { startMs: config.startMs, ...SOL_PRICE });
  const genesis = createGenesis({
    keyring: world.keyring,
    tokenAccounts: world.tokenAccounts,
    ledger: world.chain.ledger,
    clock: { slot: config.firstSlot, unixTime: Math.floor(config.startMs / 1_000) },
    tables: world.chain.tables,
    solUsd: SOL_PRICE.startUsd,
  });
  for (const pool of genesis.solUsdcPools) world.addMarket(pool);
  keepSolPrice(config, world, random, genesis, solUsd);
  const talk = new MarketTalk(world, random, config.startMs);
  const crank = openCrank(world);
  const crowd = fillMarket(config, world, random, { ...genesis, crank });
  turnCranks(config, world, random, crank);
  watchSolPrice(world, crowd, solUsd);
  crowd.attention.onCall(({ mint }) => talk.feed.hearCall(mint));
  return {
    world,
    truth,
    solUsd,
    posts: talk.ledger,
    tokenAt: (uri) => talk.tokenAt(uri),
    step: () => talk.follow(world.step()),
    takePosts: () => talk.take(),
  };
}

/** The posts of people while the market moves. */
class MarketTalk {
  readonly feed: SocialFeed;
  readonly ledger = new PostLedger();
  private readonly world: World;
  private readonly byUri = new Map<string, SocialToken>();
  private waiting: FeedEntry[] = [];

  constructor(world: World, random: Random, startMs: number) {
    const tokens = new SocialTokens(random);
    this.world = world;
    this.feed = new SocialFeed({ random, startMs, tokens });
    world.onToken((mint, text) => this.byUri.set(text.uri, tokens.add(mint, text)));
  }

  tokenAt(uri: string): SocialToken | null {
    return this.byUri.get(uri) ?? null;
  }

  follow(step: ChainStep | null): ChainStep | null {
    const entries = this.feed.observe(toFeedMoment(this.world.nowMs, step));
    for (const entry of entries) {
      this.ledger.apply(entry);
      this.waiting.push(entry);
    }
    // Not for each record beyond the limit: every trim copies the whole list.
    if (this.waiting.length > 2 * POSTS_KEPT_MAX) {
      this.waiting = this.waiting.slice(-POSTS_KEPT_MAX);
    }
    return step;
  }

  take(): readonly FeedEntry[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }
}

function createWorld(config: SimulationConfig, random: Random, truth: TruthBook): World {
  const keyring = new Keyring(random);
  const tables = commonLookupTables(keyring);
  const chain = new Chain(keyring, new Keyring(random.fork('blocks')), config.firstSlot, tables);
  const validators = new Validators(chain, random.fork('validators'), config.votesPerBlock);
  const leaders = [...validators.identities];
  while (leaders.length < LEADERS_MIN) leaders.push(keyring.wallet());
  const schedule = new SlotSchedule(random.fork('schedule'), {
    firstSlot: config.firstSlot,
    startMs: config.startMs,
    paces: [
      { fromSlot: 0, slotMs: config.slotMs },
      { fromSlot: Math.max(config.laterFromSlot, 1), slotMs: config.laterSlotMs },
    ],
    leaders,
    skipRate: config.skipRate,
  });
  return new World({
    chain,
    schedule,
    random: random.fork('world'),
    truth,
    blockCapacity: config.blockCapacity,
    skipsIdleSlots: config.skipsIdleSlots,
    forks: { rate: config.forkRate, maxLength: config.forkSlotsMax },
    tradeStyleOf: tradeStyles(random.fork('trade styles'), config),
    extraGroups: (slot) => validators.votes(slot),
  });
}

function keepSolPrice(
  { solTradeEveryMs: everyMs }: SimulationConfig,
  world: World,
  random: Random,
  genesis: Genesis,
  path: PricePath,
): void {
  new SolPriceKeeper(world, {
    wallet: genesis.priceKeeper,
    pools: genesis.solUsdcPools,
    path,
    random: random.fork('price keeper'),
    everyMs,
  }).start();
}

function fillMarket(
  config: SimulationConfig,
  world: World,
  random: Random,
  { exchanges: hotWallets, solUsdcPools, crank }: Genesis & { readonly crank: Address },
): Crowd {
  const exchanges = new Exchanges(world, { hotWallets, bridges: createBridges(world) });
  const crowd = new Crowd(world, exchanges, config.people, config.crowdWeight);
  const shared = { world, exchanges, crowd };
  const { launchesPerHour, poolLaunchesPerHour, qualityPower } = config;
  new LaunchStream({
    ...shared,
    random: random.fork('launches'),
    perHour: launchesPerHour,
    qualityPower,
    waves: new SecondWaves(world, random.fork('second waves'), config.secondWaveShare),
    quotes: {
      random: random.fork('launch quotes'),
      otherQuoteShare: config.otherQuoteShare,
      holderRewardShare: config.holderRewardShare,
      // The pool whose swaps use the fewest accounts: a path has two swaps in one transaction.
      dollars: solUsdcPools.find(({ venue }) => venue === 'raydium_cpmm') ?? null,
      keeper: crank,
    },
  }).start();
  new PoolLaunchStream({
    ...shared,
    random: random.fork('pool launches'),
    perHour: poolLaunchesPerHour,
    qualityPower,
  }).start();
  new ScenarioStream({
    shared,
    random: random.fork('scenarios'),
    attacksPerHour: config.attacksPerHour,
    benignPerHour: config.benignPerHour,
  }).start();
  return crowd;
}

/** Pays for sweeps of fees and for migrations of coins quoted in others. */
function openCrank({ keyring, chain }: World): Address {
  const crank = keyring.wallet();
  chain.ledger.set(crank, { ...chain.ledger.get(crank), lamports: BRIDGE_LAMPORTS });
  return crank;
}

/** Starts the payouts of kept fees and the protocol's buybacks. */
function turnCranks(
  { feeSweepEveryMs, boostEveryMs }: SimulationConfig,
  world: World,
  random: Random,
  crank: Address,
): void {
  new PumpCranks(world, {
    random: random.fork('pump cranks'),
    wallet: crank,
    feeSweepEveryMs,
    boostEveryMs,
  }).start();
}

/** Wallets that pay out transfers from other chains. */
function createBridges({ keyring, chain }: World): Address[] {
  return Array.from({ length: BRIDGES }, () => {
    const bridge = keyring.wallet();
    chain.ledger.set(bridge, { ...chain.ledger.get(bridge), lamports: BRIDGE_LAMPORTS });
    return bridge;
  });
}

/** When SOL falls sharply, people sell their holdings. */
function watchSolPrice(world: World, crowd: Crowd, path: PricePath): void {
  let highUsd = path.at(world.nowMs);
  const check = (): void => {
    const priceUsd = path.at(world.nowMs);
    if (priceUsd < highUsd * (1 - CRASH_SHARE)) {
      crowd.panic(PANIC_SHARE);
      highUsd = priceUsd;
    }
    highUsd = Math.max(priceUsd, highUsd * HIGH_FADES);
    world.after(LOOK_EVERY_MS, check);
  };
  world.after(LOOK_EVERY_MS, check);
}
