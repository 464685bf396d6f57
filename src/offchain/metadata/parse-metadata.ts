/** The usable parts of the JSON document at a token's URI, which is untrusted. */
export interface TokenMetadata {
  readonly kind: 'metadata';
  readonly name: string | null;
  readonly symbol: string | null;
  readonly description: string | null;
  /** A URL of any scheme, including `data:`; not fetched. */
  readonly image: string | null;
  readonly website: string | null;
  readonly twitter: string | null;
  readonly telegram: string | null;
  /** Links under other common names, as fields or within `extensions`, `links` or `socials`. */
  readonly otherLinks: readonly string[];
  /** Names of present but unusable fields, in the order of this interface. */
  readonly unusable: readonly string[];
}

export interface UnreadableMetadata {
  readonly kind: 'unreadable';
  readonly reason: 'too-large' | 'not-text' | 'not-json' | 'not-an-object';
}

export const METADATA_SIZE_MAX_BYTES = 262_144;

/** Maximum length of each field, in UTF-16 units; longer texts are cut, longer URLs ignored. */
const TEXT_MAX = { name: 128, symbol: 32, description: 2_000 } as const;
const URL_MAX = 2_048;
const OTHER_LINKS_MAX = 16;
/** Field names of other links, and objects that contain links by name. */
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

// Control characters except line feed and tab, and characters that change the text direction.
const INVISIBLE = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function usableText(field: Field, value: string): string | null {
  if (field === 'name' || field === 'symbol' || field === 'description') {
    const text = value.slice(0, TEXT_MAX[field]).replace(INVISIBLE, '').trim().toWellFormed();
    return text === '' ? null : text;
  }
  if (field !== 'image') return usableLink(field, value);
  const url = value.trim();
  if (/^data:image\//i.test(url)) return url;
  return url.length <= URL_MAX && PICTURE_SCHEMES.has(URL.parse(url)?.protocol ?? '') ? url : null;
}

const PICTURE_SCHEMES = new Set(['https:', 'http:', 'ipfs:', 'ar:']);
/** An account name, written with `@`. */
const HANDLE = /^@[A-Za-z0-9_]{1,64}$/;
const HANDLE_BASE_URLS: Readonly<Record<string, string>> = {
  twitter: 'https://x.com/',
  x: 'https://x.com/',
  telegram: 'https://t.me/',
};
/** A host with an optional path, written without a scheme. */
const BARE_HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\S*)?$/i;

/** A web page, also if its scheme or its platform is omitted. */
function usableLink(name: string, value: string): string | null {
  const text = value.trim();
  if (text.length > URL_MAX) return null;
  const baseUrl = HANDLE_BASE_URLS[name];
  if (baseUrl !== undefined && HANDLE.test(text)) return `${baseUrl}${text.slice(1)}`;
  const url = URL.parse(BARE_HOST.test(text) ? `https://${text}` : text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; null for other bytes. */
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
