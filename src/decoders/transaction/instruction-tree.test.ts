import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { transfer } from '../../../tests/support/token-instructions.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import { SELF_EVENT_TAG } from './discriminator.ts';
import { instructionTree } from './instruction-tree.ts';

const call = (program: string, ...inner: InstructionDraft[]): InstructionDraft => ({
  program: address(program),
  inner,
});
const MOVE = transfer({ from: 'a', to: 'b', by: 'signer', amount: 1n });

/** A router calls a pool, which moves tokens twice, and then moves some itself. */
const ROUTE = [call('router', call('pool', MOVE, MOVE), MOVE), call('other')];

describe('the call tree', () => {
  test('follows recorded call depths', () => {
    const { parent, last } = treeOf(build(ROUTE));
    expect(parent).toEqual([-1, 0, 1, 1, 0, -1]);
    expect(last).toEqual([4, 3, 2, 3, 4, 5]);
  });

  test('attaches an instruction with an unrecorded caller to the deepest recorded one', () => {
    const transaction = build([call('router', call('pool'), call('helper'))]);
    const skipping = transaction.instructions.map((instruction, index) =>
      Object.assign(Object.create(instruction), { stackHeight: [1, 2, 4][index] }),
    );
    expect([...instructionTree(skipping, []).parent]).toEqual([-1, 0, 1]);
  });

  test('follows the log when call depths are not recorded', () => {
    const { parent, last } = treeOf(build(ROUTE, logOf(ROUTE)));
    expect(parent).toEqual([-1, 0, 1, 1, 0, -1]);
    expect(last).toEqual([4, 3, 2, 3, 4, 5]);
  });

  test('is the same from recorded depths and from the log', () => {
    const program = fc.constantFrom('router', 'pool', 'helper');
    let tree: fc.Arbitrary<InstructionDraft> = program.map((name) => call(name));
    for (let depth = 1; depth < 5; depth++) {
      tree = fc
        .tuple(program, fc.array(tree, { maxLength: 3 }))
        .map(([name, inner]) => call(name, ...inner));
    }
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 4 }), (drafts) => {
        const recorded = treeOf(build(drafts));
        expect(treeOf(build(drafts, logOf(drafts)))).toEqual(recorded);
        expect(recorded.parent).toEqual(parentsOf(drafts));
      }),
    );
  });

  test('is built for calls a thousand levels deep', () => {
    let deepest = call('pool');
    for (let depth = 1; depth < 1_000; depth++) deepest = call('pool', deepest);
    const { parent, last } = treeOf(build([deepest]));
    expect(parent).toEqual(Array.from({ length: 1_000 }, (_, index) => index - 1));
    expect(new Set(last)).toEqual(new Set([999]));
  });
});

describe('the flat rule, for records with neither call depths nor a log', () => {
  test('assigns token and self-event instructions to the last program called before them', () => {
    const event = {
      program: address('pool'),
      data: Uint8Array.from(Buffer.from(SELF_EVENT_TAG.repeat(2), 'hex')),
    };
    const drafts = [call('router', MOVE, call('pool', MOVE, event), call('second', MOVE))];
    expect(treeOf(build(drafts, [])).parent).toEqual([-1, 0, 0, 2, 2, 0, 5]);
  });

  test('assigns movements of the Meteora vault to the pool that called it', () => {
    const vault = { program: '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi', inner: [MOVE] };
    const drafts = [call('router', call('pool', MOVE, vault, vault))];
    expect(treeOf(build(drafts, [])).parent).toEqual([-1, 0, 1, 1, 1, 1, 1]);
  });

  test('cannot see that a call returned', () => {
    // The last transfer is the router's own; the flat list looks as if the pool had made it.
    expect(treeOf(build(ROUTE, [])).parent).toEqual([-1, 0, 1, 1, 1, -1]);
  });

  test('applies when the log is truncated', () => {
    expect(treeOf(build(ROUTE, logOf(ROUTE).slice(0, 5))).parent).toEqual([-1, 0, 1, 1, 1, -1]);
  });
});

function build(
  instructions: readonly InstructionDraft[],
  logMessages?: readonly string[],
): ChainTransaction {
  const hasStackHeights = logMessages === undefined;
  return buildTransaction({
    signers: [address('signer')],
    instructions,
    hasStackHeights,
    logMessages: logMessages ?? [],
  });
}

function treeOf({ instructions, logMessages }: ChainTransaction) {
  const { parent, last } = instructionTree(instructions, logMessages);
  return { parent: [...parent], last: [...last] };
}

/** The runtime's log of these calls. */
function logOf(drafts: readonly InstructionDraft[], depth = 1): string[] {
  return drafts.flatMap(({ program, inner = [] }) => [
    `Program ${program} invoke [${depth}]`,
    ...logOf(inner, depth + 1),
    `Program ${program} success`,
  ]);
}

function parentsOf(drafts: readonly InstructionDraft[]): number[] {
  const parents: number[] = [];
  const visit = ({ inner = [] }: InstructionDraft, parent: number): void => {
    const own = parents.push(parent) - 1;
    for (const called of inner) visit(called, own);
  };
  for (const draft of drafts) visit(draft, -1);
  return parents;
}
