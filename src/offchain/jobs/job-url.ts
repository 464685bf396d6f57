import { createHash } from 'node:crypto';
import { contentUrls, type Gateways } from '../../lib/safe-fetch/gateways.ts';

/** Where a stranger's URL leads, so that all ways to the same thing are one job. */
export interface JobUrl {
  readonly key: string;
  /** The name is made of the content: IPFS, Arweave, `data:`. */
  readonly isLasting: boolean;
  /** Null where no host is asked, or any gateway may be. */
  readonly host: string | null;
}

export const URL_LENGTH_MAX = 2_048;
const KEY_LENGTH_MAX = 512;

/** Null for a text that names no place at all. */
export function jobUrl(text: string, gateways: Gateways): JobUrl | null {
  if (/^data:/i.test(text)) return { key: `data:${sha256(text)}`, isLasting: true, host: null };
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text);
  if (url === null) return null;
  const content = contentUrls(text, gateways);
  if (content !== null) return { key: keyOf(content.canonicalUrl), isLasting: true, host: null };
  // What comes behind # is never sent.
  url.hash = '';
  return { key: keyOf(url.href), isLasting: false, host: url.host };
}

function keyOf(url: string): string {
  return url.length <= KEY_LENGTH_MAX ? url : `sha256:${sha256(url)}`;
}

/** As hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
