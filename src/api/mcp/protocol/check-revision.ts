import { isObject } from '../../requests/request-schema.ts';
import { checkMirroredHeaders, type MirroredHeaders } from './mirrored-headers.ts';
import type { Message } from './parse-message.ts';
import { CURRENT_REVISION, EARLIER_REVISIONS, isEarlierRevision, META } from './revisions.ts';
import { RPC, RpcError } from './rpc-error.ts';

export type Era = 'current' | 'earlier';

/**
 * The era of a message, after checking that its revision is served. `headers` is null where there
 * are none (standard input). Throws RpcError.
 */
export function checkRevision(message: Message, headers: MirroredHeaders | null): Era {
  const meta = isObject(message.params._meta) ? message.params._meta : {};
  const named = meta[META.revision];
  if (named === undefined) return checkEarlier(message, headers);
  if (typeof named !== 'string') throw badMeta(`${META.revision} must be a string`);
  if (headers !== null) checkMirroredHeaders(message, named, headers);
  if (named !== CURRENT_REVISION) throw unsupported(named);
  if (message.id !== null && !isObject(meta[META.clientCapabilities])) {
    throw badMeta(`${META.clientCapabilities} must be an object`);
  }
  return 'current';
}

/**
 * The first request of a client of an earlier revision has no header yet. Later revisions name
 * 2025-03-26 as the one of requests without the header: its clients never send it, and read the same
 * answers.
 */
function checkEarlier({ method }: Message, headers: MirroredHeaders | null): Era {
  if (headers === null || method === 'initialize') return 'earlier';
  const named = headers['mcp-protocol-version'];
  if (named === undefined || isEarlierRevision(named)) return 'earlier';
  if (named === CURRENT_REVISION) throw badMeta(`${META.revision} is missing`);
  throw unsupported(String(named));
}

function badMeta(fault: string): RpcError {
  return new RpcError(RPC.invalidParams, `In params._meta, ${fault}.`, { status: 400 });
}

const VERSION_LENGTH_MAX = 40;

function unsupported(requested: string): RpcError {
  return new RpcError(
    RPC.unsupportedRevision,
    `This revision of the protocol is not supported: use ${served()}.`,
    {
      status: 400,
      data: {
        supported: [CURRENT_REVISION, ...EARLIER_REVISIONS],
        requested: requested.slice(0, VERSION_LENGTH_MAX),
      },
    },
  );
}

function served(): string {
  return [CURRENT_REVISION, ...EARLIER_REVISIONS].join(', ');
}
