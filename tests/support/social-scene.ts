import type { MarketFact } from '../../simulator/chain/market-fact.ts';
import type { FeedSettings } from '../../simulator/posts/feed-settings.ts';
import { SocialFeed } from '../../simulator/posts/social-feed.ts';
import type { FeedEntry } from '../../simulator/posts/social-post.ts';
import { type SocialToken, SocialTokens } from '../../simulator/posts/social-tokens.ts';
import { Random } from '../../simulator/random/random.ts';
import { encodeBase58 } from '../../src/lib/base58.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

export const START_MS = Date.UTC(2026, 0, 1, 0, 0, 13);
export const SLOT_MS = 400;
export const MINUTE_MS = 60_000;

/** A scripted market for a feed: the state of one token by the minute since the start. */
export interface TokenLife {
  readonly name: string;
  readonly symbol: string;
  readonly launchMinute: number;
  /** Null for a token that stays on its curve. */
  readonly migrateMinute: number | null;
  /** SOL traded in each slot, and lamports per raw unit. */
  readonly solPerSlot: (minute: number) => number;
  readonly price: (minute: number) => number;
}

/** Rises, migrates to a pool, and falls by 60 % at minute 20. */
export function dramaticLife(symbol: string, launchMinute = 0): TokenLife {
  return {
    name: `${symbol} the token`,
    symbol,
    launchMinute,
    migrateMinute: launchMinute + 5,
    solPerSlot: (minute) => (minute >= 5 && minute < 8 ? 4 : 1),
    price: (minute) => (minute < 20 ? 1 + minute / 10 : 1),
  };
}

/** A life without price moves: this many SOL in each slot at one price. */
export function steadyLife(symbol: string, solPerSlot: number): TokenLife {
  const steady = { solPerSlot: () => solPerSlot, price: () => 1 };
  return { name: `${symbol} coin`, symbol, launchMinute: 0, migrateMinute: 1, ...steady };
}

interface SceneToken {
  readonly life: TokenLife;
  readonly token: SocialToken;
}

/** A feed driven by scripted tokens instead of a chain. */
export class SocialScene {
  readonly tokens: SocialTokens;
  readonly feed: SocialFeed;
  private readonly lives: readonly SceneToken[];
  private slots = 0;

  constructor(seed: string, lives: readonly TokenLife[], settings: Partial<FeedSettings> = {}) {
    const random = new Random(seed);
    this.tokens = new SocialTokens(random);
    const keys = random.fork('keys');
    this.lives = lives.map((life) => ({
      life,
      token: this.tokens.add(encodeBase58(keys.bytes(32)) as Address, life),
    }));
    this.feed = new SocialFeed({ random, startMs: START_MS, tokens: this.tokens, settings });
  }

  run(minutes: number): FeedEntry[] {
    const entries: FeedEntry[] = [];
    for (let slot = 0; slot < (minutes * MINUTE_MS) / SLOT_MS; slot++) {
      for (const entry of this.step()) entries.push(entry);
    }
    return entries;
  }

  step(): readonly FeedEntry[] {
    this.slots++;
    const facts = this.lives.flatMap((each) => this.factsOf(each));
    return this.feed.observe({ nowMs: START_MS + this.slots * SLOT_MS, facts });
  }

  private factsOf({ life, token: { mint } }: SceneToken): MarketFact[] {
    const slotsOfMinute = MINUTE_MS / SLOT_MS;
    const minute = this.slots / slotsOfMinute - life.launchMinute;
    const isAt = (when: number | null) => when !== null && this.slots - 1 === when * slotsOfMinute;
    const common = { venue: 'pump', pool: mint, baseMint: mint, quoteMint: WRAPPED_SOL } as const;
    const facts: MarketFact[] = [];
    if (isAt(life.launchMinute)) {
      facts.push({ kind: 'launch', venue: 'pump', mint, pool: mint, creator: mint });
    }
    if (isAt(life.migrateMinute)) {
      facts.push({ kind: 'migrate', mint, fromPool: mint, toPool: mint });
    }
    const sol = life.solPerSlot(minute);
    if (minute <= 0 || sol === 0) return facts;
    const quoteRaw = BigInt(Math.round(sol * 1e9));
    const baseRaw = BigInt(Math.round((sol * 1e9) / life.price(minute)));
    const amounts = { side: 'buy', baseRaw, quoteRaw, keptQuoteRaw: 0n } as const;
    facts.push({ kind: 'trade', ...common, trader: mint, ...amounts });
    return facts;
  }
}
