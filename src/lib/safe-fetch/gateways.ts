/**
 * The gateways from which content of IPFS and Arweave is fetched. A URL of either scheme, or one of
 * a public gateway, becomes one canonical URL and the URLs of the configured gateways.
 */
export interface Gateways {
  /** Origins, such as `https://ipfs.io`, that serve `/ipfs/<cid>/<path>`, tried in this order. */
  readonly ipfs: readonly string[];
  /** Origins that serve `/<transaction>/<path>`. */
  readonly arweave: readonly string[];
}

export interface ContentUrls {
  /** Identical for all URLs of the same content: the key of a cached copy. */
  readonly canonicalUrl: string;
  readonly urls: readonly string[];
}

/** 46 characters in version 0, 59 and more in version 1. */
const CID = /^[A-Za-z0-9]{46,128}$/;
const ARWEAVE_ID = /^[A-Za-z0-9_-]{43}$/;
const ARWEAVE_HOSTS = new Set(['arweave.net', 'www.arweave.net', 'ar-io.net', 'arweave.dev']);

/** Null for a URL that identifies a location rather than content. */
export function contentUrls(text: string, gateways: Gateways): ContentUrls | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const ipfs = ipfsPath(url);
  if (ipfs !== null) return urlsOf('ipfs://', ipfs, gateways.ipfs, '/ipfs/');
  const arweave = arweavePath(url);
  return arweave === null ? null : urlsOf('ar://', arweave, gateways.arweave, '/');
}

function urlsOf(scheme: string, path: string, origins: readonly string[], prefix: string) {
  const urls = origins.map((origin) => `${origin}${prefix}${path}`);
  return { canonicalUrl: `${scheme}${path}`, urls };
}

/** `<cid>/<path>` of `ipfs://<cid>/…`, `…/ipfs/<cid>/…` on any host, and `<cid>.ipfs.<host>`. */
function ipfsPath(url: URL): string | null {
  if (url.protocol === 'ipfs:') {
    return contentPath(`${url.host}${url.pathname}`.replace(/^ipfs\//, ''), CID, url.search);
  }
  if (!isWeb(url)) return null;
  if (url.pathname.startsWith('/ipfs/')) {
    return contentPath(url.pathname.slice('/ipfs/'.length), CID, url.search);
  }
  const [cid = '', label] = url.hostname.split('.');
  return label === 'ipfs' ? contentPath(`${cid}${url.pathname}`, CID, url.search) : null;
}

function arweavePath(url: URL): string | null {
  if (url.protocol === 'ar:') {
    return contentPath(`${url.host}${url.pathname}`, ARWEAVE_ID, url.search);
  }
  if (!isWeb(url) || !ARWEAVE_HOSTS.has(url.hostname)) return null;
  return contentPath(url.pathname.slice(1), ARWEAVE_ID, url.search);
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Content ids are case-sensitive and must not be lowercased. */
function contentPath(text: string, id: RegExp, search: string): string | null {
  const [name = '', ...rest] = text.split('/');
  if (!id.test(name)) return null;
  const path = rest.filter((part) => part !== '').join('/');
  return `${name}${path === '' ? '' : `/${path}`}${search}`;
}
