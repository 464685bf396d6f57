import type { SocialPost, TrackedToken } from '../../model/social-post.ts';
import { linkPages, officialPage } from '../official-page.ts';
import type { Wanted } from './collector.ts';

/** Maximum names of each kind, the most important ones. */
const NAMES_MAX = 20_000;

/**
 * The names of tokens, which are given in order of importance. A cashtag is included if exactly one
 * liquid token has it, a link if no two tokens claim it.
 */
export function wantedOf(tokens: readonly TrackedToken[]): Wanted {
  const symbols = tokens.flatMap(({ symbol, isLiquid }) =>
    isLiquid && symbol !== null && symbol !== '' ? [folded(symbol)] : [],
  );
  const pages = tokens.flatMap(({ officialLinks }) => [
    ...new Set(officialLinks.flatMap((link) => officialPage(link)?.page ?? [])),
  ]);
  return {
    mints: tokens.slice(0, NAMES_MAX).map(({ mint }) => mint),
    cashtags: uniqueOnly(symbols).slice(0, NAMES_MAX),
    links: uniqueOnly(pages).slice(0, NAMES_MAX),
  };
}

const MINT_LIKE = /[1-9A-HJ-NP-Za-km-z]{32,}/g;
const CASHTAG_LIKE = /\$([\p{L}\p{N}_]{1,20})/gu;
const HANDLE_LIKE = /@([A-Za-z0-9_.-]{1,64})/g;
/** Every part is bounded, so that no text makes it slow. */
const LINK_LIKE =
  /(?<![a-z0-9._-])(?:https?:\/\/)?(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}(?:\/[^\s<>"'()[\]]{0,300})?/gi;
const LINKS_READ_MAX = 64;

/**
 * Whether a post may contain a wanted name, to drop unrelated posts early. It may accept unrelated
 * posts, which the receiver drops, but accepts every post with a wanted name.
 */
export class WantedFilter {
  private readonly wanted: Wanted;
  private readonly mints: ReadonlySet<string>;
  private readonly cashtags: ReadonlySet<string>;
  private readonly links: ReadonlySet<string>;
  private readonly handles: ReadonlySet<string>;

  constructor(wanted: Wanted) {
    this.wanted = wanted;
    this.mints = new Set(wanted.mints);
    this.cashtags = new Set(wanted.cashtags.map(folded));
    this.links = new Set(wanted.links);
    this.handles = new Set(wanted.links.flatMap((link) => officialPage(link)?.handle ?? []));
  }

  /** Whether it was created from this object. */
  isOf(wanted: Wanted): boolean {
    return this.wanted === wanted;
  }

  passes({ text, links }: Pick<SocialPost, 'text' | 'links'>): boolean {
    return (
      [text, ...links].some((each) => someMatch(each, MINT_LIKE, (run) => this.mints.has(run))) ||
      someMatch(text, CASHTAG_LIKE, (tag) => this.cashtags.has(folded(tag))) ||
      someMatch(text, HANDLE_LIKE, (handle) => this.isHandle(handle)) ||
      this.namesLink(text, links)
    );
  }

  /** A full stop after a handle may end a sentence. */
  private isHandle(handle: string): boolean {
    return this.handles.has(handle.toLowerCase().replace(/[.-]+$/, ''));
  }

  private namesLink(text: string, links: readonly string[]): boolean {
    if (this.links.size === 0) return false;
    const written = [text, ...links].flatMap((part) =>
      [...part.matchAll(LINK_LIKE)].slice(0, LINKS_READ_MAX).map(([link]) => link),
    );
    return [...links, ...written].some((link) =>
      // A page below an official page counts as that page.
      linkPages(link).some((page) => this.links.has(page)),
    );
  }
}

/** Normalises a name, so that upper and lower case are equal. */
function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function someMatch(text: string, pattern: RegExp, test: (found: string) => boolean): boolean {
  for (const [whole, group] of text.matchAll(pattern)) if (test(group ?? whole)) return true;
  return false;
}

/** The values that occur once, in order. */
function uniqueOnly(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].filter(([, count]) => count === 1).map(([value]) => value);
}
