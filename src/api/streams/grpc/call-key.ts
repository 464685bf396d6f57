import { type Metadata, status } from '@grpc/grpc-js';
import { ApiError } from '../../../model/errors.ts';
import type { ApiKey } from '../../api-keys.ts';
import type { ApiDeps } from '../../deps.ts';
import { authenticate as authenticateText } from '../../http/admission.ts';
import type { FailedKeys } from '../../http/failed-keys.ts';
import { keyTextIn } from '../../http/presented-key.ts';
import { MISSING_KEY, TOO_MANY_WRONG_KEYS } from '../../schemas/error-responses.ts';

type Keys = Pick<ApiDeps, 'keys'>;

/**
 * The key that a call presents, as `x-api-key` or as `authorization: Bearer`. Throws ApiError 401 if
 * there is none or more than one.
 */
export function authenticate(deps: Keys, metadata: Metadata): ApiKey {
  const key = findKey(deps, metadata);
  if (key === null) throw new ApiError(401, MISSING_KEY);
  return key;
}

/**
 * The key of a call, or the status that refuses it: no valid key, or too many wrong keys from its
 * address.
 */
export function judgeKey(
  deps: Keys & Pick<ApiDeps, 'nowMs'>,
  { failedKeys }: { readonly failedKeys: FailedKeys },
  metadata: Metadata,
  peer: string,
): ApiKey | { readonly code: status; readonly details: string } {
  try {
    return authenticate(deps, metadata);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isGuess = textIn(metadata) !== null;
    const waitSeconds = isGuess ? failedKeys.note(addressOf(peer), deps.nowMs()) : 0;
    return waitSeconds > 0
      ? { code: status.RESOURCE_EXHAUSTED, details: TOO_MANY_WRONG_KEYS }
      : { code: status.UNAUTHENTICATED, details: error.message };
  }
}

/** The address of a peer, without its port. */
function addressOf(peer: string): string {
  return peer.replace(/:\d+$/, '');
}

/** Whether the key of an admitted call is still valid. */
export function isKnown(deps: Keys, metadata: Metadata): boolean {
  return findKey(deps, metadata) !== null;
}

function findKey({ keys }: Keys, metadata: Metadata): ApiKey | null {
  return authenticateText(keys, textIn(metadata) ?? undefined);
}

/** The text that a call presents as a key. These names do not end in -bin, so values are texts. */
function textIn(metadata: Metadata): string | null {
  const valuesOf = (name: string) => metadata.get(name).map(String);
  return keyTextIn({ apiKey: valuesOf('x-api-key'), authorization: valuesOf('authorization') });
}
