import type { Slot } from '../../../model/units.ts';
import type { Attempt } from './retrying-nodes.ts';
import { codeFailure } from './rpc-failure.ts';
import type { RpcNode } from './rpc-node.ts';

/** A block reduced to its signatures: the first of each transaction, votes included, in order. */
export interface BlockSignatures {
  readonly blockhash: string;
  readonly signatures: readonly string[];
}

/** Fetches the signatures of a final block. */
export async function fetchSignatures(
  node: RpcNode,
  slot: Slot,
  signal: AbortSignal,
): Promise<Attempt<BlockSignatures>> {
  const answer = await node.call('getBlock', [slot, OPTIONS], readSignatures, signal);
  if (answer.status === 'failed') return answer;
  if (answer.result !== 'null') return { status: 'ok', value: answer.result };
  return { status: 'failed', failure: codeFailure(-32004, 'the node answers null') };
}

const OPTIONS = {
  transactionDetails: 'signatures',
  rewards: false,
  maxSupportedTransactionVersion: 1,
  commitment: 'finalized',
} as const;

function readSignatures(result: unknown): BlockSignatures | 'null' | null {
  if (result === null) return 'null';
  if (typeof result !== 'object') return null;
  const { blockhash, signatures } = result as Record<string, unknown>;
  if (typeof blockhash !== 'string' || !Array.isArray(signatures)) return null;
  const isText = (value: unknown) => typeof value === 'string';
  return signatures.every(isText) ? { blockhash, signatures } : null;
}
