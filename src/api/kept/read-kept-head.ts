import type { IncomingMessage } from 'node:http';
import { keyTextIn } from '../http/presented-key.ts';

/** What a kept answer needs to know of the head of a request. */
export interface KeptHead {
  readonly key: string;
  readonly requestId: string | undefined;
}

/**
 * The key and the ID that a request gives, read without making an object of all its headers. Null
 * for a request without a key in a header or without exactly one host, and for one with a repeated
 * key or ID, a body, or a header that may change the answer. The key is that of `keyTextIn`.
 */
export function readKeptHead({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): KeptHead | null {
  let key: string | undefined;
  let authorization: string | undefined;
  let requestId: string | undefined;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    // Most names are told apart by their length.
    if (!LENGTHS.has(name.length)) continue;
    switch (name.toLowerCase()) {
      case 'host':
        hosts++;
        break;
      case 'x-api-key':
        if (key !== undefined) return null;
        key = rawHeaders[at + 1];
        break;
      case 'authorization':
        if (authorization !== undefined) return null;
        authorization = rawHeaders[at + 1];
        break;
      case 'x-request-id':
        if (requestId !== undefined) return null;
        requestId = rawHeaders[at + 1];
        break;
      case 'origin':
      case 'expect':
      case 'upgrade':
      case 'content-length':
      case 'transfer-encoding':
        return null;
    }
  }
  return hosts === 1 ? headOf(key, authorization, requestId) : null;
}

function headOf(
  apiKey: string | undefined,
  authorization: string | undefined,
  requestId: string | undefined,
): KeptHead | null {
  const key = keyTextIn({ apiKey: listOf(apiKey), authorization: listOf(authorization) });
  return key === null ? null : { key, requestId };
}

function listOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

const LENGTHS: ReadonlySet<number> = new Set(
  [
    'host',
    'x-api-key',
    'authorization',
    'x-request-id',
    'origin',
    'expect',
    'upgrade',
    'content-length',
    'transfer-encoding',
  ].map(({ length }) => length),
);
