import type { MarketFact } from '../chain/market-fact.ts';
import { log, power, tanh } from '../random/portable-math.ts';
import type { Random } from '../random/random.ts';
import type { Tone } from './phrases.ts';
import type { SocialToken } from './social-tokens.ts';

/** A reaction to a trade in addition to ordinary discussion. */
export type Stir = 'none' | 'shock' | 'dump';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const LAMPORTS = 1_000_000_000;

/** Half-lives of the averages for recent and for usual volume. */
const RECENT_HALF_LIFE_MS = MINUTE_MS;
const USUAL_HALF_LIFE_MS = 15 * MINUTE_MS;
const PRICE_HALF_LIFE_MS = 5 * MINUTE_MS;
const HIGH_HALF_LIFE_MS = 20 * MINUTE_MS;
/** A shock is a minute with four times the usual volume, above a minimum. */
const SHOCK_FACTOR = 4;
const SHOCK_SOL_MIN = 30;
const SHOCK_PAUSE_MS = 4 * MINUTE_MS;
/** A fall by this share from the recent high. */
const DUMP_SHARE = 0.5;
const PANIC_MS = 3 * MINUTE_MS;
/** Smaller trades do not affect the perceived price. */
const PRICE_SOL_MIN = 0.01;
/** Posts per minute are this factor times the recent volume in SOL to the power below. */
const POSTS_FACTOR = 0.35;
const POSTS_EXPONENT = 0.75;
const CURVE_SHARE = 0.3;
const PANIC_FACTOR = 2;
/** A token without trades for this time is no longer discussed. */
const QUIET_MS = 20 * MINUTE_MS;

/** The discussion of one token, as driven by its market. */
export class TokenTalk {
  readonly token: SocialToken;
  private isMigrated = false;
  private recentSol = 0;
  private usualSol = 0;
  private price = 0;
  private usualPrice = 0;
  private high = 0;
  private lastMs: number;
  private lastTradeMs: number;
  private shockFromMs: number;
  private panicUntilMs = 0;

  constructor(token: SocialToken, nowMs: number) {
    this.token = token;
    this.lastMs = nowMs;
    this.lastTradeMs = nowMs;
    this.shockFromMs = nowMs;
  }

  migrate(nowMs: number): void {
    this.isMigrated = true;
    this.lastTradeMs = nowMs;
  }

  /** Increases discussion as if this much had been traded. */
  excite(sol: number): void {
    this.recentSol += sol;
  }

  isQuiet(nowMs: number): boolean {
    return nowMs - this.lastTradeMs > QUIET_MS;
  }

  isPanic(nowMs: number): boolean {
    return nowMs < this.panicUntilMs;
  }

  /** Processes a trade whose quote is SOL. */
  see({ baseRaw, quoteRaw }: MarketFact & { readonly kind: 'trade' }, nowMs: number): Stir {
    this.fade(nowMs);
    this.lastTradeMs = nowMs;
    const sol = Number(quoteRaw) / LAMPORTS;
    this.recentSol += sol;
    this.usualSol += sol;
    if (sol >= PRICE_SOL_MIN && baseRaw > 0n) this.seePrice(Number(quoteRaw) / Number(baseRaw));
    if (this.price < this.high * (1 - DUMP_SHARE)) {
      this.high = this.price;
      this.panicUntilMs = nowMs + PANIC_MS;
      return 'dump';
    }
    const usualInRecent = (this.usualSol * RECENT_HALF_LIFE_MS) / USUAL_HALF_LIFE_MS;
    const isShock = this.recentSol > Math.max(SHOCK_SOL_MIN, SHOCK_FACTOR * usualInRecent);
    if (!isShock || nowMs < this.shockFromMs) return 'none';
    this.shockFromMs = nowMs + SHOCK_PAUSE_MS;
    return 'shock';
  }

  /** Posts per minute at this time. */
  postsPerMinute(nowMs: number): number {
    this.fade(nowMs);
    const stage = this.isMigrated ? 1 : CURVE_SHARE;
    const panic = this.isPanic(nowMs) ? PANIC_FACTOR : 1;
    return POSTS_FACTOR * stage * panic * power(this.recentSol, POSTS_EXPONENT);
  }

  /** The tone follows the recent price. */
  drawTone(random: Random, nowMs: number): Tone {
    if (this.isPanic(nowMs) && random.chance(0.8)) {
      return random.chance(0.65) ? 'furious' : 'bearish';
    }
    const change = this.usualPrice > 0 ? log(this.price / this.usualPrice) : 0;
    const mood = tanh(2 * change);
    const drawn = random.unit();
    if (drawn < 0.4 + 0.3 * mood) return random.chance(0.3 + 0.2 * mood) ? 'euphoric' : 'bullish';
    if (drawn > 0.8 + 0.15 * mood) return random.chance(0.3 - 0.2 * mood) ? 'furious' : 'bearish';
    return 'neutral';
  }

  private seePrice(price: number): void {
    this.price = price;
    if (this.usualPrice === 0) this.usualPrice = price;
    this.high = Math.max(this.high, price);
  }

  private fade(nowMs: number): void {
    const passedMs = nowMs - this.lastMs;
    if (passedMs <= 0) return;
    this.lastMs = nowMs;
    this.recentSol *= power(0.5, passedMs / RECENT_HALF_LIFE_MS);
    this.usualSol *= power(0.5, passedMs / USUAL_HALF_LIFE_MS);
    this.high *= power(0.5, passedMs / HIGH_HALF_LIFE_MS);
    const kept = power(0.5, passedMs / PRICE_HALF_LIFE_MS);
    this.usualPrice = kept * this.usualPrice + (1 - kept) * this.price;
  }
}
