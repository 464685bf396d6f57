import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { FIRST_LAUNCH_ROW, SOL_ROWS } from './market-options.ts';
import type { MarketState } from './market-state.ts';
import { PHASE } from './mint-columns.ts';
import { addressOf, KIND, programOwnedNumber } from './numbered-texts.ts';
import type { TradingReserves } from './pool-arithmetic.ts';
import { mixedShare } from './random-numbers.ts';
import { CURVES, drawVenue, POOLS, type VenueForm } from './venues.ts';

/** Supply of every launch and established mint, in raw units of 6 decimals. */
export const SUPPLY_RAW = 1_000_000_000_000_000;
/** Tokens that a curve sells; it holds the others until they migrate. */
export const CURVE_BASE_RAW = 793_100_000_000_000;
export const CURVE_RESERVED_RAW = SUPPLY_RAW - CURVE_BASE_RAW;
/** Virtual reserves of a curve beyond its holdings: pump's, and the same at 150 USD per SOL. */
const CURVE_VIRTUAL_BASE_RAW = 279_900_000_000_000;
const CURVE_VIRTUAL_LAMPORTS = 30_000_000_000;
const CURVE_VIRTUAL_USD_RAW = 4_500_000_000;

/** Dollars per SOL, with six and nine decimals. */
const USD_RAW_PER_LAMPORT = 0.15;
const SOL_POOL_LAMPORTS = 200_000_000_000_000;
const ESTABLISHED_BASE_RAW = 100_000_000_000_000;
/** Share of established mints and launches that are quoted in dollars. */
const STABLE_QUOTED_SHARE = 0.12;
/** Numbers of addresses of a mint's curve are this far apart for each try. */
const TRIES_STEP = 2 ** 24;

/** What a pool older than the history holds of its base at the beginning. */
export function firstBaseOf(row: number): number {
  return row < SOL_ROWS ? SOL_POOL_LAMPORTS : ESTABLISHED_BASE_RAW;
}

/** Addresses of a mint and of where it trades now. */
export interface MarketAddresses {
  readonly mint: Address;
  readonly quoteMint: Address;
  readonly pool: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly vaultOwner: Address;
}

/** Mints and their markets: addresses, reserves, and how they begin. */
export class MintMarkets {
  private readonly state: MarketState;
  /** Texts used in the current slot: a decoded slot has each of them once. */
  private readonly texts = new Map<number, MarketAddresses>();

  constructor(state: MarketState) {
    this.state = state;
  }

  /** Call before each slot. */
  beginSlot(): void {
    this.texts.clear();
  }

  /** Adds the rows that exist before the first slot. */
  addFirstRows(): void {
    const { mints } = this.state;
    for (let row = 0; row < FIRST_LAUNCH_ROW; row++) {
      mints.add();
      mints.phase[row] = PHASE.pool;
      mints.venue[row] = drawVenue(POOLS, mixedShare(row, 0x7e9));
      this.findPoolAddress(row);
      const isSol = row < SOL_ROWS;
      const isStableQuoted = isSol || mixedShare(row, 0x57a) < STABLE_QUOTED_SHARE;
      mints.isStableQuoted[row] = isStableQuoted ? 1 : 0;
      // Between 200 and 50,000 SOL; the popular ones, which come first, have the most.
      const lamports = isSol
        ? SOL_POOL_LAMPORTS
        : 200_000_000_000 + Math.floor(50_000_000_000_000 / (1 + row - SOL_ROWS));
      mints.base[row] = firstBaseOf(row);
      mints.quote[row] = isStableQuoted ? Math.floor(lamports * USD_RAW_PER_LAMPORT) : lamports;
    }
  }

  /** Adds a row whose curve is still full, and returns it. */
  addCurve(slot: number): number {
    const { mints } = this.state;
    const row = mints.add();
    mints.phase[row] = PHASE.curve;
    mints.venue[row] = drawVenue(CURVES, mixedShare(row, 0xc0e));
    mints.isStableQuoted[row] = mixedShare(row, 0x57a) < STABLE_QUOTED_SHARE / 4 ? 1 : 0;
    mints.bornSlot[row] = slot;
    mints.base[row] = CURVE_BASE_RAW;
    mints.quote[row] = 0;
    if (this.venueOf(row).authority === null) {
      mints.curveTries[row] = (programOwnedNumber(KIND.curve, row, TRIES_STEP) - row) / TRIES_STEP;
    }
    return row;
  }

  /** Moves the market of a curve to a pool with these reserves: pump's to its own, others to Raydium's. */
  movePool(row: number, base: number, quote: number): void {
    const { mints } = this.state;
    const migratesTo = this.venueOf(row).venue === 'pump' ? 'pump_amm' : 'raydium_cpmm';
    mints.venue[row] = POOLS.findIndex(({ venue }) => venue === migratesTo);
    mints.phase[row] = PHASE.pool;
    mints.base[row] = base;
    mints.quote[row] = quote;
    this.findPoolAddress(row);
    this.texts.delete(row);
  }

  venueOf(row: number): VenueForm {
    const { mints } = this.state;
    const venues = mints.phase[row] === PHASE.pool ? POOLS : CURVES;
    return venues[mints.venue[row] as number] as VenueForm;
  }

  isCurve(row: number): boolean {
    return this.state.mints.phase[row] !== PHASE.pool;
  }

  /** Whether its row is a pool of SOL itself. */
  isSol(row: number): boolean {
    return row < SOL_ROWS;
  }

  tradingReserves(row: number): TradingReserves {
    const { mints } = this.state;
    const [base, quote] = [mints.base[row] as number, mints.quote[row] as number];
    if (!this.isCurve(row)) return { base, quote };
    return { base: base + CURVE_VIRTUAL_BASE_RAW, quote: quote + this.virtualQuote(row) };
  }

  /** An amount of SOL in units of the quote, at 150 USD per SOL. */
  quoteOf(row: number, lamports: number): number {
    const isStable = this.state.mints.isStableQuoted[row] === 1;
    return isStable ? Math.ceil(lamports * USD_RAW_PER_LAMPORT) : lamports;
  }

  addressesOf(row: number): MarketAddresses {
    const known = this.texts.get(row);
    if (known !== undefined) return known;
    const { mints } = this.state;
    const isCurve = this.isCurve(row);
    const tries = (isCurve ? mints.curveTries[row] : mints.poolTries[row]) as number;
    const pool = addressOf(isCurve ? KIND.curve : KIND.pool, row + tries * TRIES_STEP);
    const vault = row * 2 + (isCurve ? 0 : 1);
    const made = {
      mint: this.isSol(row) ? WRAPPED_SOL : addressOf(KIND.mint, row),
      quoteMint: mints.isStableQuoted[row] === 1 ? USDC : WRAPPED_SOL,
      pool,
      baseVault: addressOf(KIND.baseVault, vault),
      quoteVault: addressOf(KIND.quoteVault, vault),
      vaultOwner: this.venueOf(row).authority ?? pool,
    };
    this.texts.set(row, made);
    return made;
  }

  private virtualQuote(row: number): number {
    const isStable = this.state.mints.isStableQuoted[row] === 1;
    return isStable ? CURVE_VIRTUAL_USD_RAW : CURVE_VIRTUAL_LAMPORTS;
  }

  /** A pool that owns its vaults has an address that no person can have. */
  private findPoolAddress(row: number): void {
    const { mints } = this.state;
    if (this.venueOf(row).authority !== null) return;
    mints.poolTries[row] = (programOwnedNumber(KIND.pool, row, TRIES_STEP) - row) / TRIES_STEP;
  }
}
