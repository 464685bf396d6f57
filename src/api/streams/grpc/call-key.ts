import { type Metadata, status } from '@grpc/grpc-js';
import { ApiError } from '../../../model/errors.ts';
import type { ApiKey } from '../../api-keys.ts';
import type { ApiDeps } from '../../deps.ts';
import type { FailedKeys } from '../../http/failed-keys.ts';
import { MISSING_KEY, TOO_MANY_WRONG_KEYS } from '../../schemas/error-responses.ts';

type Keys = Pick<ApiDeps, 'keys'>;

/** The key that a call presents. Throws ApiError 401 if there is none or more than one. */
export function authenticate({ keys }: Keys, metadata: Metadata): ApiKey {
  const [presented, ...more] = metadata.get('x-api-key');
  const key =
    typeof presented === 'string' && more.length === 0 ? keys.authenticate(presented) : null;
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
    const isGuess = metadata.get('x-api-key').length > 0;
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
  return deps.keys.authenticate(String(metadata.get('x-api-key')[0])) !== null;
}
