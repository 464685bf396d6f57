import { decodeBase58 } from '../../../lib/base58.ts';
import { type Address, asSlot } from '../../../model/units.ts';
import type { RpcNode, RpcResult } from '../../rpc/nodes/rpc-node.ts';
import { fetchAccounts } from '../fetch-accounts.ts';
import { idlAddresses } from './idl-address.ts';
import { type IdlText, readAnchorIdl, readMetadataIdl } from './read-idl-account.ts';

/** The IDL accounts of a program; null where the account does not exist. */
export interface IdlAccounts {
  readonly anchor: IdlText | null;
  readonly metadata: IdlText | null;
}

/** The runtime's bound on the size of an account. */
const ACCOUNT_BYTES_MAX = 10 * 2 ** 20;

/** Fetches both accounts in which a program may publish its IDL. */
export async function fetchIdl(
  node: RpcNode,
  programId: Address,
  signal: AbortSignal,
): Promise<RpcResult<IdlAccounts>> {
  const { anchor, metadata } = idlAddresses(programId);
  const request = { minContextSlot: asSlot(0), accountBytesMax: ACCOUNT_BYTES_MAX };
  const answer = await fetchAccounts(node, [anchor, metadata], request, signal);
  if (answer.status === 'failed') return answer;
  const [anchorAccount = null, metadataAccount = null] = answer.result.accounts;
  const programKey = decodeBase58(programId) ?? new Uint8Array(32);
  return {
    status: 'ok',
    result: {
      anchor: anchorAccount === null ? null : readAnchorIdl(anchorAccount, programId),
      metadata: metadataAccount === null ? null : readMetadataIdl(metadataAccount, programKey),
    },
  };
}
