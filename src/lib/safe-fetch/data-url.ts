import { type Refusal, refused } from './refusal.ts';

export interface DataContent {
  readonly kind: 'data';
  readonly contentType: string;
  readonly body: Uint8Array;
}

const FORM = /^data:([^,]*?)(;base64)?,/i;
const HEAD_LENGTH_MAX = 200;

/** Decodes a `data:` URL (RFC 2397) without any network access. Null for other URLs. */
export function readDataUrl(text: string, sizeMaxBytes: number): DataContent | Refusal | null {
  if (!/^data:/i.test(text)) return null;
  const head = FORM.exec(text.slice(0, HEAD_LENGTH_MAX));
  if (head === null) return refused('bad-url', text);
  const [start, mediaType = '', base64] = head;
  const content = text.slice(start.length);
  // Base64 takes at most 4/3 characters per byte, percent-encoding at most 3.
  if (content.length > sizeMaxBytes * 3) return refused('body-too-large');
  const body = base64 === undefined ? percentDecoded(content) : Buffer.from(content, 'base64');
  if (body === null) return refused('broken-answer', 'percent encoding');
  if (body.length > sizeMaxBytes) return refused('body-too-large');
  return { kind: 'data', contentType: mediaType === '' ? 'text/plain' : mediaType, body };
}

function percentDecoded(text: string): Uint8Array | null {
  try {
    return new TextEncoder().encode(decodeURIComponent(text));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
