import type { SocialPost, TrackedToken } from '../model/social-post.ts';
import type { Address } from '../model/units.ts';
import { linkPages, officialPage } from './official-page.ts';

/**
 * Maximum tokens that one post counts for. Posts that name more are lists or spam: only the first
 * count, ordered by address, link, handle and cashtag, then by position in the text.
 */
export const MATCHES_MAX = 5;
/** Maximum names of one kind that are read in a post. */
const NAMES_MAX = 64;

const ADDRESS = /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/g;
/** A handle that is not part of an email address or a link. */
const HANDLE = /(?<![\p{L}\p{N}_@./])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?)/gu;
const CASHTAG = /(?<![\p{L}\p{N}$])\$(\p{L}[\p{L}\p{N}_]{0,19})/gu;
const LINK =
  /(?<![a-z0-9._-])(?:https?:\/\/)?(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}(?:\/[^\s<>"'()[\]]{0,300})?/gi;

/** The tokens a post is about. */
export interface PostMatch {
  readonly mints: readonly Address[];
  /** Cashtags, links and handles that several tokens claim, which match none of them. */
  readonly ambiguous: number;
  /** Tokens beyond MATCHES_MAX. */
  readonly beyond: number;
}

/**
 * Tracked tokens by the names that posts use for them. A name that several tokens claim matches
 * none of them. Cashtags belong only to tokens with liquidity, links and handles to all tokens.
 */
export class TokenIndex {
  private readonly tokens = new Map<string, TrackedToken>();
  private readonly byPage = new Map<string, Set<Address>>();
  private readonly byHandle = new Map<string, Set<Address>>();
  private readonly bySymbol = new Map<string, Set<Address>>();

  /** Adds or updates a token. */
  put(token: TrackedToken): void {
    const known = this.tokens.get(token.mint);
    if (known !== undefined) this.changeNames(known, dropName);
    this.tokens.set(token.mint, token);
    this.changeNames(token, addName);
  }

  get(mint: Address): TrackedToken | null {
    return this.tokens.get(mint) ?? null;
  }

  get size(): number {
    return this.tokens.size;
  }

  /** All tokens, in the order in which they were added. */
  all(): IterableIterator<TrackedToken> {
    return this.tokens.values();
  }

  match({ text, links }: Pick<SocialPost, 'text' | 'links'>): PostMatch {
    const found = new Set<Address>();
    let ambiguous = 0;
    const take = (mints: ReadonlySet<Address> | undefined): void => {
      if (mints === undefined) return;
      if (mints.size > 1) ambiguous++;
      else for (const mint of mints) found.add(mint);
    };
    const texts = [text, ...links];
    for (const part of texts) {
      for (const [address] of namesIn(part, ADDRESS)) {
        const token = this.tokens.get(address);
        if (token !== undefined) found.add(token.mint);
      }
    }
    for (const part of texts) {
      for (const [link] of namesIn(part, LINK)) take(this.claimantsOf(link));
    }
    for (const [, handle] of namesIn(text, HANDLE)) take(this.byHandle.get(folded(handle)));
    for (const [, symbol] of namesIn(text, CASHTAG)) take(this.bySymbol.get(folded(symbol)));
    const mints = [...found].slice(0, MATCHES_MAX);
    return { mints, ambiguous, beyond: found.size - mints.length };
  }

  /** The tokens that claim the most specific page of a link. */
  private claimantsOf(link: string): ReadonlySet<Address> | undefined {
    for (const page of linkPages(link)) {
      const mints = this.byPage.get(page);
      if (mints !== undefined) return mints;
    }
    return undefined;
  }

  private changeNames(
    { mint, symbol, isLiquid, officialLinks }: TrackedToken,
    change: typeof addName,
  ): void {
    for (const link of officialLinks) {
      const official = officialPage(link);
      if (official === null) continue;
      change(this.byPage, official.page, mint);
      if (official.handle !== null) change(this.byHandle, official.handle, mint);
    }
    if (isLiquid && symbol !== null && symbol !== '') change(this.bySymbol, folded(symbol), mint);
  }
}

function addName(names: Map<string, Set<Address>>, name: string, mint: Address): void {
  const mints = names.get(name);
  if (mints === undefined) names.set(name, new Set([mint]));
  else mints.add(mint);
}

function dropName(names: Map<string, Set<Address>>, name: string, mint: Address): void {
  const mints = names.get(name);
  mints?.delete(mint);
  if (mints?.size === 0) names.delete(name);
}

function* namesIn(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    if (count++ === NAMES_MAX) return;
    yield match;
  }
}

/** Normalises a name, so that upper and lower case are equal. */
function folded(name: string | undefined): string {
  return (name ?? '').normalize('NFKC').toLowerCase();
}
