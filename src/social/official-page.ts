/**
 * Where a token's official pages are, so that links in posts are told to be its own. Links are
 * strangers' text: only their shape is read, nothing is fetched.
 */

/** Deeper parts of a path say nothing more about whose it is. */
const SEGMENTS_MAX = 4;
const LINK_LENGTH_MAX = 2_048;
/** Several names of one place. */
const SAME_HOSTS = new Map([
  ['twitter.com', 'x.com'],
  ['mobile.twitter.com', 'x.com'],
  ['mobile.x.com', 'x.com'],
  ['telegram.me', 't.me'],
  ['telegram.dog', 't.me'],
  ['warpcast.com', 'farcaster.xyz'],
]);
/** Where a first part of a path is an account, of which people write `@account`. */
const PROFILE_HOSTS = new Set(['x.com', 't.me', 'farcaster.xyz', 'instagram.com', 'tiktok.com']);
/** First parts of a path that are nobody's account. */
const NO_ACCOUNTS = new Set(
  'i home search explore hashtag intent share s joinchat addstickers about login p reel'.split(' '),
);
/** Places of everybody: to name one alone names nobody. */
const SHARED_HOSTS = new Set([
  ...PROFILE_HOSTS,
  ...(
    'youtube.com youtu.be discord.gg discord.com github.com medium.com reddit.com bsky.app ' +
    'google.com facebook.com linktr.ee pump.fun dexscreener.com dextools.io birdeye.so ' +
    'solscan.io raydium.io jup.ag meteora.ag coingecko.com coinmarketcap.com ipfs.io ' +
    'arweave.net twitch.tv kick.com wikipedia.org tenor.com imgur.com'
  ).split(' '),
]);

export interface OfficialPage {
  /** Host and path, in one way of writing. */
  readonly place: string;
  /** The account, in small letters, where the place is one. */
  readonly handle: string | null;
}

/** Of a link in a token's metadata; null for one that names no place of its own. */
export function officialPage(link: string): OfficialPage | null {
  const parts = partsOf(link.startsWith('@') ? `x.com/${link.slice(1)}` : link);
  if (parts === null) return null;
  const { host, segments } = parts;
  const [first] = segments;
  if (first === undefined) return SHARED_HOSTS.has(host) ? null : { place: host, handle: null };
  const place = [host, ...segments].join('/');
  if (!PROFILE_HOSTS.has(host)) return { place, handle: null };
  if (segments.length > 1) return { place, handle: null };
  if (NO_ACCOUNTS.has(first)) return null;
  const handle = first.startsWith('@') ? first.slice(1) : first;
  return { place, handle: handle === '' ? null : handle };
}

/** The places that a link in a post lies in, the most exact first. */
export function linkPages(link: string): readonly string[] {
  const parts = partsOf(link);
  if (parts === null) return [];
  const all = [parts.host, ...parts.segments];
  return all.map((_, at) => all.slice(0, all.length - at).join('/'));
}

function partsOf(link: string) {
  if (link.length > LINK_LENGTH_MAX) return null;
  const text = /^https?:\/\//i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  if (!hostname.includes('.')) return null;
  const bare = hostname.replace(/^www\./, '').replace(/\.$/, '');
  const segments = pathname
    .toLowerCase()
    .split('/')
    .map((segment) => segment.replace(/[.,;:!?*_~`]+$/, ''))
    .filter((segment) => segment !== '')
    .slice(0, SEGMENTS_MAX);
  return { host: SAME_HOSTS.get(bare) ?? bare, segments };
}
