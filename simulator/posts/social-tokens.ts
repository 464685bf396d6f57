import type { Address } from '../../src/model/units.ts';
import type { TokenText } from '../programs/token-text.ts';
import type { Random } from '../random/random.ts';

/** A token with the names under which posts mention it. */
export interface SocialToken {
  readonly mint: Address;
  readonly name: string;
  readonly symbol: string;
  /** Handle of the official account, without the at sign; null if there is none. */
  readonly handle: string | null;
  /** Official site; null if there is none. */
  readonly website: string | null;
}

/** Symbols that are recognised after a dollar sign. */
const CASHTAG = /^[A-Za-z][A-Za-z0-9]{1,9}$/;
const HANDLE_CHARS_MAX = 11;
const OFFICIAL_SHARE = { handle: 0.85, website: 0.6 } as const;

/**
 * All tokens that posts can mention. Handles and sites are invented here, each unique, and are part
 * of the token's metadata; handles are matched case-insensitively.
 */
export class SocialTokens {
  private readonly random: Random;
  private readonly byMint = new Map<Address, SocialToken>();
  private readonly handles = new Set<string>();
  private readonly launchedBySymbol = new Map<string, Address[]>();

  constructor(random: Random) {
    this.random = random.fork('socialTokens');
  }

  /**
   * Registers a token before its launch lands. A mint that is already registered is not changed.
   */
  add(mint: Address, { name, symbol }: Pick<TokenText, 'name' | 'symbol'>): SocialToken {
    const known = this.byMint.get(mint);
    if (known !== undefined) return known;
    const random = this.random.fork(mint);
    const handle = this.freeHandle(symbol);
    const token: SocialToken = {
      mint,
      name,
      symbol,
      handle: random.chance(OFFICIAL_SHARE.handle) ? handle : null,
      website: random.chance(OFFICIAL_SHARE.website) ? `https://${siteOf(handle)}.example` : null,
    };
    this.byMint.set(mint, token);
    return token;
  }

  get(mint: Address): SocialToken | null {
    return this.byMint.get(mint) ?? null;
  }

  /** In order of registration. */
  all(): readonly SocialToken[] {
    return [...this.byMint.values()];
  }

  /** From now on the symbol is also used by this token. */
  launched({ mint, symbol }: SocialToken): void {
    const key = symbol.toUpperCase();
    const mints = this.launchedBySymbol.get(key) ?? [];
    if (!mints.includes(mint)) this.launchedBySymbol.set(key, [...mints, mint]);
  }

  /** Whether a launched token other than this one has the symbol. */
  isAmbiguous({ mint, symbol }: SocialToken): boolean {
    const mints = this.launchedBySymbol.get(symbol.toUpperCase()) ?? [];
    return mints.some((other) => other !== mint);
  }

  private freeHandle(symbol: string): string {
    const letters = symbol.toLowerCase().replace(/[^a-z0-9]/g, '');
    const stem = `${letters.slice(0, HANDLE_CHARS_MAX) || 'token'}_sol`;
    for (let number = 1; ; number++) {
      const handle = number === 1 ? stem : `${stem}${number}`;
      if (this.handles.has(handle)) continue;
      this.handles.add(handle);
      return handle;
    }
  }
}

/** The symbol after a dollar sign; null if the symbol cannot be a cashtag. */
export function cashtagOf({ symbol }: SocialToken): string | null {
  return CASHTAG.test(symbol) ? `$${symbol}` : null;
}

function siteOf(handle: string): string {
  return handle.replace('_', '-');
}
