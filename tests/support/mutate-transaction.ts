import fc from 'fast-check';
import { Instruction } from '../../src/model/instruction.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import { copyTransaction } from './copy-transaction.ts';

/** One change of a recorded transaction; positions are shares from 0 to 1. */
export type Mutation =
  | { readonly kind: 'byte'; readonly at: number; readonly offset: number; readonly byte: number }
  | { readonly kind: 'cut'; readonly at: number; readonly offset: number }
  | { readonly kind: 'trail'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'account'; readonly at: number; readonly offset: number; readonly key: number }
  | { readonly kind: 'fewerAccounts'; readonly at: number; readonly offset: number }
  | { readonly kind: 'moreAccounts'; readonly at: number; readonly count: number }
  | { readonly kind: 'drop' | 'repeat'; readonly at: number }
  | { readonly kind: 'height'; readonly at: number; readonly height: number }
  | { readonly kind: 'balance'; readonly at: number; readonly after: bigint }
  | { readonly kind: 'log'; readonly offset: number };

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const byte = fc.nat({ max: 255 });

/** Mutations of every kind. */
export const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('byte'), at: share, offset: share, byte }),
  },
  fc.record({ kind: fc.constant('cut'), at: share, offset: share }),
  fc.record({ kind: fc.constant('trail'), at: share, bytes: fc.uint8Array({ maxLength: 300 }) }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('account'), at: share, offset: share, key: share }),
  },
  fc.record({ kind: fc.constant('fewerAccounts'), at: share, offset: share }),
  fc.record({ kind: fc.constant('moreAccounts'), at: share, count: fc.nat({ max: 2_000 }) }),
  fc.record({ kind: fc.constantFrom('drop', 'repeat'), at: share }),
  fc.record({ kind: fc.constant('height'), at: share, height: fc.nat({ max: 1_000 }) }),
  fc.record({
    kind: fc.constant('balance'),
    at: share,
    after: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  }),
  fc.record({ kind: fc.constant('log'), offset: share }),
) as fc.Arbitrary<Mutation>;

/** A copy of the transaction with the mutations applied in order. */
export function mutate(
  transaction: ChainTransaction,
  mutations: readonly Mutation[],
): ChainTransaction {
  return mutations.reduce(mutateOnce, transaction);
}

function mutateOnce(transaction: ChainTransaction, mutation: Mutation): ChainTransaction {
  const { logMessages, tokenBalances } = transaction;
  switch (mutation.kind) {
    case 'log':
      return copyTransaction(transaction, {
        logMessages: logMessages.slice(0, placeIn(logMessages, mutation.offset)),
      });
    case 'balance': {
      const at = placeIn(tokenBalances, mutation.at);
      const changed = tokenBalances.map((balance, index) =>
        index === at ? { ...balance, after: mutation.after } : balance,
      );
      return copyTransaction(transaction, { tokenBalances: changed });
    }
    default:
      return copyTransaction(transaction, { instructions: mutateList(transaction, mutation) });
  }
}

type OfInstruction = Exclude<Mutation, { kind: 'log' | 'balance' }>;

function mutateList(
  { instructions, keys }: ChainTransaction,
  mutation: OfInstruction,
): readonly Instruction[] {
  const at = placeIn(instructions, mutation.at);
  const [before, chosen, after] = [
    instructions.slice(0, at),
    instructions[at],
    instructions.slice(at + 1),
  ];
  if (chosen === undefined) return instructions;
  const changed = changedOf(chosen, mutation, keys.length);
  // Execution order is the list's; positions keep their numbers except those of the order.
  return [...before, ...changed, ...after].map((parts, index) => {
    const { outerIx, innerIx, stackHeight, programIndex, accountIndexes, data } = parts;
    const place = { index, outerIx, innerIx, stackHeight };
    return new Instruction(keys, place, programIndex, accountIndexes, data);
  });
}

/** The parts of an instruction. */
type Parts = Pick<
  Instruction,
  'outerIx' | 'innerIx' | 'stackHeight' | 'programIndex' | 'accountIndexes' | 'data'
>;

function changedOf(
  chosen: Instruction,
  mutation: OfInstruction,
  keyCount: number,
): readonly Parts[] {
  const { outerIx, innerIx, stackHeight, programIndex, accountIndexes, data } = chosen;
  const parts: Parts = { outerIx, innerIx, stackHeight, programIndex, accountIndexes, data };
  const accounts = [...Array.from(accountIndexes)];
  switch (mutation.kind) {
    case 'byte': {
      const offset = placeIn(data, mutation.offset);
      const changed = data.map((value, index) => (index === offset ? mutation.byte : value));
      return [{ ...parts, data: changed }];
    }
    case 'cut':
      return [{ ...parts, data: data.slice(0, placeIn(data, mutation.offset)) }];
    case 'trail':
      return [{ ...parts, data: Buffer.concat([data, mutation.bytes]) }];
    case 'account':
      accounts[placeIn(accounts, mutation.offset)] = Math.floor(mutation.key * keyCount);
      return [{ ...parts, accountIndexes: accounts }];
    case 'fewerAccounts':
      return [{ ...parts, accountIndexes: accounts.slice(0, placeIn(accounts, mutation.offset)) }];
    case 'moreAccounts': {
      const more = Array.from({ length: mutation.count }, (_, index) => (index * 7) % keyCount);
      return [{ ...parts, accountIndexes: accounts.concat(more) }];
    }
    case 'drop':
      return [];
    case 'repeat':
      return [parts, parts];
    case 'height':
      return [{ ...parts, stackHeight: mutation.height }];
  }
}

function placeIn({ length }: ArrayLike<unknown>, at: number): number {
  return Math.floor(at * length);
}
