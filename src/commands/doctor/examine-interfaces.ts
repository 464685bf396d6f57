import { fetchIdl, type IdlAccounts } from '../../chain/accounts/idl/fetch-idl.ts';
import type { Endpoint } from '../../chain/rpc/nodes/endpoint.ts';
import type { RpcNode, RpcResult } from '../../chain/rpc/nodes/rpc-node.ts';
import { LAYOUTS, type LaidOutProgram } from '../../decoders/layouts.ts';
import { type InterfaceFinding, judgeInterface } from './judge-interface.ts';
import { examinedNode } from './node-facts.ts';

/** Two accounts of maximum size in base64, plus the envelope. */
const ANSWER_BYTES_MAX = 32 * 2 ** 20;
/** Number of concurrent programs: public nodes accept few requests. */
const AT_ONCE = 4;

export interface InterfaceQuestions {
  /** Timeout of one request. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches and judges the on-chain interface of each program with a layout, in the order of the
 * layouts.
 */
export async function examineInterfaces(
  endpoints: readonly Endpoint[],
  { deadlineMs, signal }: InterfaceQuestions,
  programs: readonly LaidOutProgram[] = LAYOUTS,
): Promise<readonly InterfaceFinding[]> {
  const limits = { deadlineMs, answerBytesMax: ANSWER_BYTES_MAX };
  const nodes = endpoints.map((endpoint) => examinedNode(endpoint, limits));
  const findings: InterfaceFinding[] = [];
  for (let at = 0; at < programs.length; at += AT_ONCE) {
    const judged = programs
      .slice(at, at + AT_ONCE)
      .map(async (program) => judgeInterface(program, await askInTurn(nodes, program, signal)));
    findings.push(...(await Promise.all(judged)));
  }
  return findings;
}

/** The answer of the first node that has one. */
async function askInTurn(
  nodes: readonly RpcNode[],
  { programId }: LaidOutProgram,
  signal: AbortSignal,
): Promise<RpcResult<IdlAccounts>> {
  const [first, ...others] = nodes;
  if (first === undefined) throw new RangeError('there is no node to ask');
  let answer = await fetchIdl(first, programId, signal);
  for (const node of others) {
    if (answer.status === 'ok') return answer;
    answer = await fetchIdl(node, programId, signal);
  }
  return answer;
}
