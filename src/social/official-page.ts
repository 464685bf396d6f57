/**
 * The official pages of tokens, to recognise links to them in posts. Links are untrusted text: only
 * their form is parsed, and nothing is fetched.
 */

/** Deeper parts of a path do not identify its owner. */
const SEGMENTS_MAX = 4;
const LINK_LENGTH_MAX = 2_048;
/** Hosts with another name for the same site. */
const SAME_HOSTS = new Map([
  ['twitter.com', 'x.com'],
  ['mobile.twitter.com', 'x.com'],
  ['mobile.x.com', 'x.com'],
  ['telegram.me', 't.me'],
  ['telegram.dog', 't.me'],
  ['warpcast.com', 'farcaster.xyz'],
]);
/** Hosts on which the first part of a path is an account, written as `@account` in posts. */
const PROFILE_HOSTS = new Set(['x.com', 't.me', 'farcaster.xyz', 'instagram.com', 'tiktok.com']);
/** First parts of a path that are not accounts. */
const NO_ACCOUNTS = new Set(
  'i home search explore hashtag intent share s joinchat addstickers about login p reel'.split(' '),
);
/** Shared hosts: the host alone does not identify an owner. */
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
  /** Normalised host and path. */
  readonly page: string;
  /** The account in lower case, if the page is an account. */
  readonly handle: string | null;
}

/** The official page of a link in token metadata; null if the link does not identify an owner. */
export function officialPage(link: string): OfficialPage | null {
  const parts = partsOf(link.startsWith('@') ? `x.com/${link.slice(1)}` : link);
  if (parts === null) return null;
  const { host, segments } = parts;
  const [first] = segments;
  if (first === undefined) return SHARED_HOSTS.has(host) ? null : { page: host, handle: null };
  const page = [host, ...segments].join('/');
  if (!PROFILE_HOSTS.has(host)) return { page, handle: null };
  if (segments.length > 1) return { page, handle: null };
  if (NO_ACCOUNTS.has(first)) return null;
  const handle = first.startsWith('@') ? first.slice(1) : first;
  return { page, handle: handle === '' ? null : handle };
}

/** The pages that contain a link of a post, the most specific first. */
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
