/** The JSON that a token's URI leads to, written by anybody: what of it can be used. */
export interface TokenMetadata {
  readonly kind: 'metadata';
  readonly name: string | null;
  readonly symbol: string | null;
  readonly description: string | null;
  /** A URL of any scheme, `data:` too; nobody has looked at it. */
  readonly image: string | null;
  readonly website: string | null;
  readonly twitter: string | null;
  readonly telegram: string | null;
  /** Links under other usual names, as fields or within `extensions`, `links` or `socials`. */
  readonly otherLinks: readonly string[];
  /** Fields that were there and could not be used, in the order of this shape. */
  readonly unusable: readonly string[];
}

export interface UnreadableMetadata {
  readonly kind: 'unreadable';
  readonly reason: 'too-large' | 'not-text' | 'not-json' | 'not-an-object';
}

export const METADATA_SIZE_MAX_BYTES = 262_144;

/** Longest text of each field, in UTF-16 units; longer texts are cut, longer URLs are of no use. */
const TEXT_MAX = { name: 128, symbol: 32, description: 2_000 } as const;
const URL_MAX = 2_048;
const OTHER_LINKS_MAX = 16;
/** Names under which other links are written, and objects that hold links by name. */
const OTHER_LINKS = [
  ...['external_url', 'discord', 'instagram', 'tiktok', 'youtube', 'github', 'medium', 'reddit'],
  ...['farcaster', 'warpcast', 'bluesky', 'facebook', 'twitch', 'x', 'linktree'],
];
const LINK_OBJECTS = ['extensions', 'links', 'socials'];

const FIELDS = [
  'name',
  'symbol',
  'description',
  'image',
  'website',
  'twitter',
  'telegram',
] as const;
type Field = (typeof FIELDS)[number];

export function parseMetadata(bytes: Uint8Array): TokenMetadata | UnreadableMetadata {
  if (bytes.length > METADATA_SIZE_MAX_BYTES) return { kind: 'unreadable', reason: 'too-large' };
  const text = decoded(bytes);
  if (text === null) return { kind: 'unreadable', reason: 'not-text' };
  const value = parsed(text);
  if (value === undefined) return { kind: 'unreadable', reason: 'not-json' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'unreadable', reason: 'not-an-object' };
  }
  return metadataOf(value);
}

function metadataOf(object: object): TokenMetadata {
  const unusable: Field[] = [];
  const read = (field: Field): string | null => {
    const value = ownValue(object, field);
    if (value === undefined || value === null || value === '') return null;
    const text = typeof value === 'string' ? usableText(field, value) : null;
    if (text === null) unusable.push(field);
    return text;
  };
  const [name = null, symbol = null, description = null, image = null, ...links] = FIELDS.map(read);
  const [website = null, twitter = null, telegram = null] = links;
  return {
    kind: 'metadata',
    name,
    symbol,
    description,
    image,
    website,
    twitter,
    telegram,
    otherLinks: otherLinksOf(object),
    unusable,
  };
}

function ownValue(object: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function otherLinksOf(object: object): string[] {
  const holders = LINK_OBJECTS.map((name) => ownValue(object, name));
  const found = new Set<string>();
  const add = (holder: object, names: readonly string[]): void => {
    for (const name of names) {
      const value = ownValue(holder, name);
      const link = typeof value === 'string' ? usableLink(name, value) : null;
      if (link !== null && found.size < OTHER_LINKS_MAX) found.add(link);
    }
  };
  add(object, OTHER_LINKS);
  for (const holder of holders) {
    if (typeof holder !== 'object' || holder === null) continue;
    add(holder, [...OTHER_LINKS, 'website', 'twitter', 'telegram']);
  }
  return [...found];
}

// Control characters but for line feed and tab, and what turns the direction of text around.
const UNSEEN = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function usableText(field: Field, value: string): string | null {
  if (field === 'name' || field === 'symbol' || field === 'description') {
    const text = value.slice(0, TEXT_MAX[field]).replace(UNSEEN, '').trim().toWellFormed();
    return text === '' ? null : text;
  }
  if (field !== 'image') return usableLink(field, value);
  const url = value.trim();
  if (/^data:image\//i.test(url)) return url;
  return url.length <= URL_MAX && PICTURE_SCHEMES.has(URL.parse(url)?.protocol ?? '') ? url : null;
}

const PICTURE_SCHEMES = new Set(['https:', 'http:', 'ipfs:', 'ar:']);
/** A name on a platform, written with `@`. */
const HANDLE = /^@[A-Za-z0-9_]{1,64}$/;
const HANDLE_PLACES: Readonly<Record<string, string>> = {
  twitter: 'https://x.com/',
  x: 'https://x.com/',
  telegram: 'https://t.me/',
};
/** A host with a path, written without a scheme. */
const BARE_PLACE = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i;

/** A page of the web, also where its scheme or its platform was left out. */
function usableLink(name: string, value: string): string | null {
  const text = value.trim();
  if (text.length > URL_MAX) return null;
  const place = HANDLE_PLACES[name];
  if (place !== undefined && HANDLE.test(text)) return `${place}${text.slice(1)}`;
  const url = URL.parse(BARE_PLACE.test(text) ? `https://${text}` : text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** UTF-8, or UTF-16 where a byte order mark says so; null where bytes are neither. */
function decoded(bytes: Uint8Array): string | null {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
