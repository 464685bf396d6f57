import { createHash } from 'node:crypto';
import { contentUrls, type Gateways } from '../../lib/safe-fetch/gateways.ts';

/** The normal form of an untrusted URL, so that all URLs of the same content are one job. */
export interface JobUrl {
  readonly key: string;
  /** The address depends on the content (IPFS, Arweave, `data:`), which therefore never changes. */
  readonly isLasting: boolean;
  /** Null when no request is sent, or any gateway may be used. */
  readonly host: string | null;
}

export const URL_LENGTH_MAX = 2_048;
const KEY_LENGTH_MAX = 512;

/** Null for a text that is not a URL. */
export function jobUrl(text: string, gateways: Gateways): JobUrl | null {
  if (/^data:/i.test(text)) return { key: `data:${sha256(text)}`, isLasting: true, host: null };
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text);
  if (url === null) return null;
  const content = contentUrls(text, gateways);
  if (content !== null) return { key: keyOf(content.canonicalUrl), isLasting: true, host: null };
  // The fragment is never sent.
  url.hash = '';
  return { key: keyOf(url.href), isLasting: false, host: url.host };
}

function keyOf(url: string): string {
  return url.length <= KEY_LENGTH_MAX ? url : `sha256:${sha256(url)}`;
}

/** SHA-256 as hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
