import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { VOTE_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { FEE, SmallMarket } from '../../tests/support/small-market.ts';
import { keysOf } from '../faces/format-instructions.ts';
import { toChainBlock } from '../faces/to-chain-block.ts';
import type { ChainStep } from '../market/world.ts';
import { transferLamports } from '../programs/system.ts';
import type { Ledger } from './ledger.ts';
import type { SimulatedTransaction } from './simulated-transaction.ts';

const market = new SmallMarket({ seed: 'conservation' });
const genesis = new Map([...market.world.chain.ledger.entries()]);
const steps = market.steps(250);
const transactions = steps.flatMap(({ block }) => block.transactions);

describe('every transaction', () => {
  test('occurs in every form: failed, succeeded, both versions, loaded keys, votes, deep calls', () => {
    const forms = {
      failed: transactions.filter(({ error }) => error !== null),
      succeeded: transactions.filter(({ error, isVote }) => error === null && !isVote),
      versioned: transactions.filter(({ lookups }) => lookups.length > 0),
      legacy: transactions.filter(({ version, isVote }) => version === 'legacy' && !isVote),
      deep: transactions.filter((each) => each.instructions.some((ix) => ix.stackHeight > 2)),
      votes: transactions.filter(({ isVote }) => isVote),
      bySeveral: transactions.filter(({ signatures }) => signatures.length > 1),
    };
    for (const [form, found] of Object.entries(forms)) {
      expect([form, found.length > 0]).toEqual([form, true]);
    }
    expect(steps.some(({ isCanonical }) => !isCanonical)).toBe(true);
  });

  test('takes exactly its fee out of the lamports of its accounts', () => {
    for (const { lamportsBefore, lamportsAfter, feeLamports } of transactions) {
      expect(sum(lamportsBefore) - sum(lamportsAfter)).toBe(feeLamports);
    }
  });

  test('costs 5,000 lamports per signature and, rounded up, the priority fee of its units', () => {
    for (const transaction of transactions) {
      const budget = transaction.instructions.filter(({ data }) => isBudget(transaction, data));
      const limit = budget.find(({ data }) => data[0] === 2);
      const price = budget.find(({ data }) => data[0] === 3);
      const units = limit === undefined ? 0n : BigInt(view(limit.data).getUint32(1, true));
      const micro = price === undefined ? 0n : view(price.data).getBigUint64(1, true);
      const priority = Math.ceil(Number(units * micro) / 1e6);
      const expected = 5_000 * transaction.signatures.length + priority;
      expect(Number(transaction.feeLamports)).toBe(expected);
    }
  });

  test('changes each mint only by what it minted, burned, and withheld', () => {
    let seen = 0;
    for (const transaction of transactions) {
      const changes = supplyChanges(transaction);
      for (const [mint, change] of changesByMint(transaction)) {
        expect(change).toBe(changes.get(mint) ?? 0n);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(1_000);
  });

  test('keeps rent and one lamport per token in each wrapped SOL account', () => {
    const wrapped = transactions.flatMap((each) =>
      each.tokenBalances
        .filter(({ mint }) => mint === WRAPPED_SOL)
        .flatMap(({ accountIndex, beforeRaw, afterRaw }) => [
          { held: beforeRaw, lamports: each.lamportsBefore[accountIndex] },
          { held: afterRaw, lamports: each.lamportsAfter[accountIndex] },
        ]),
    );
    const existing = wrapped.filter(({ held }) => held !== null);
    expect(existing.length).toBeGreaterThan(100);
    for (const { held, lamports } of existing) expect(lamports).toBe(2_039_280n + (held ?? 0n));
  });

  test('leaves no balance negative', () => {
    for (const { lamportsAfter, tokenBalances } of transactions) {
      expect(lamportsAfter.every((lamports) => lamports >= 0n)).toBe(true);
      expect(tokenBalances.every(({ afterRaw }) => (afterRaw ?? 0n) >= 0n)).toBe(true);
    }
  });

  test('that failed changes only the lamports of the payer, by the fee', () => {
    for (const each of transactions.filter(({ error }) => error !== null)) {
      expect(each.lamportsAfter.slice(1)).toEqual(each.lamportsBefore.slice(1));
      expect(each.lamportsAfter[0]).toBe((each.lamportsBefore[0] ?? 0n) - each.feeLamports);
      for (const { beforeRaw, afterRaw } of each.tokenBalances) expect(afterRaw).toBe(beforeRaw);
      expect(each.facts).toEqual([]);
    }
  });

  test('is fully decoded: nothing is unknown, malformed or contradictory', () => {
    const events = { system: 0, spl_token: 0, token_2022: 0 };
    for (const { block } of steps) {
      const { problems, outcomes } = decodeBlock(toChainBlock(block));
      expect(problems).toEqual([]);
      for (const [program, { event, unknown, malformed, quarantined }] of Object.entries(
        outcomes,
      )) {
        expect([program, unknown, malformed, quarantined]).toEqual([program, 0, 0, 0]);
        if (program in events) events[program as keyof typeof events] += event;
      }
    }
    for (const count of Object.values(events)) expect(count).toBeGreaterThan(300);
  });

  test('lists every account it changed as writable in its message', () => {
    for (const transaction of transactions) {
      const { header, staticKeys, loadedWritable, lamportsBefore, lamportsAfter } = transaction;
      const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
      const isWritable = (index: number): boolean => {
        if (index < requiredSignatures) return index < requiredSignatures - readonlySigned;
        if (index < staticKeys.length) return index < staticKeys.length - readonlyUnsigned;
        return index < staticKeys.length + loadedWritable.length;
      };
      expect(isWritable(0)).toBe(true);
      lamportsAfter.forEach((lamports, index) => {
        if (lamports !== lamportsBefore[index]) expect(isWritable(index)).toBe(true);
      });
      for (const { accountIndex, beforeRaw, afterRaw } of transaction.tokenBalances) {
        if (beforeRaw !== afterRaw) expect(isWritable(accountIndex)).toBe(true);
      }
      expect(new Set(keysOf(transaction)).size).toBe(lamportsAfter.length);
    }
  });
});

describe('balances', () => {
  test('start as the previous block of the same branch left them, including dropped branches', () => {
    const states = new Map<string, State>();
    const first = steps[0]?.block.previousBlockhash ?? '';
    states.set(first, stateOf(genesis));
    let links = 0;
    for (const { block } of steps) {
      const parent = states.get(block.previousBlockhash);
      if (parent === undefined) throw new Error(`slot ${block.slot} grows from no known block`);
      const state = new Map(parent);
      for (const transaction of block.transactions) links += follow(state, transaction);
      states.set(block.blockhash, state);
    }
    expect(links).toBeGreaterThan(10_000);
  });

  test('at the end are those of the ledger, and its lamports are the initial ones minus all fees', () => {
    const { ledger } = market.world.chain;
    let lamports = sum([...genesis.values()].map((account) => account.lamports));
    for (const { block } of branchOf(steps)) {
      for (const { feeLamports } of block.transactions) lamports -= feeLamports;
    }
    expect(sum([...ledger.entries()].map(([, account]) => account.lamports))).toBe(lamports);
  });

  test('of each mint sum up to its supply, including withheld fees', () => {
    const { ledger } = market.world.chain;
    for (const mint of market.mints) {
      const held = [...ledger.entries()].map(([, { token }]) =>
        token?.mint === mint ? token.amountRaw + token.withheldRaw : 0n,
      );
      expect(sum(held)).toBe(ledger.mint(mint).supplyRaw);
      expect(sum(held)).toBeGreaterThan(0n);
    }
  });
});

describe('the chain', () => {
  test('links each block to a previous one by hash, slot and height', () => {
    const byHash = new Map(steps.map(({ block }) => [block.blockhash, block]));
    expect(byHash.size).toBe(steps.length);
    for (const { block } of steps.slice(1)) {
      const parent = byHash.get(block.previousBlockhash);
      expect(parent?.slot).toBe(block.parentSlot);
      expect(parent?.blockHeight).toBe(block.blockHeight - 1);
      expect(block.slot).toBeGreaterThan(block.parentSlot);
    }
  });

  test('builds canonical blocks only on canonical ones', () => {
    let tip = steps[0]?.block.previousBlockhash;
    for (const { block, isCanonical } of steps) {
      if (!isCanonical) continue;
      expect(block.previousBlockhash).toBe(tip);
      tip = block.blockhash;
    }
  });

  test('undoes the newest blocks to exactly the previous accounts, and no older block', () => {
    const { world } = new SmallMarket({ seed: 'takeBack', forkRate: 0, skipRate: 0, votes: 2 });
    const { chain } = world;
    const [one, other] = [chain.keyring.wallet(), chain.keyring.wallet()];
    chain.ledger.set(one, {
      lamports: 10_000_000_000n,
      program: asAddress('11111111111111111111111111111111'),
      mint: null,
      token: null,
      state: null,
    });
    const before = snapshot(chain.ledger);
    const { blockhash, slot } = chain;
    const blocks = [1, 2, 3].map((step) =>
      chain.produce({
        slot: slot + step,
        unixTime: step,
        leader: one,
        groups: [[payment(one, other, 1_000_000_000n)], [payment(one, other, 99_000_000_000n)]],
      }),
    );
    expect(snapshot(chain.ledger)).not.toEqual(before);
    const [first] = blocks;
    if (first === undefined) throw new Error('no block');
    expect(() => chain.takeBack(first)).toThrow(RangeError);
    for (const block of blocks.toReversed()) chain.takeBack(block);
    expect(snapshot(chain.ledger)).toEqual(before);
    expect([chain.blockhash, chain.slot]).toEqual([blockhash, slot]);

    function payment(from: Address, to: Address, lamports: bigint) {
      return {
        signatures: [chain.keyring.signature()],
        feePayer: from,
        recentBlockhash: chain.blockhash,
        computeBudget: null,
        tables: null,
        build: (execution: Parameters<typeof transferLamports>[0]) =>
          transferLamports(execution, from, to, lamports),
      };
    }
  });

  test('includes all or none of several transactions in a group', () => {
    const { world } = new SmallMarket({ seed: 'groups', forkRate: 0, skipRate: 0, votes: 0 });
    const { chain, keyring } = world;
    const [rich, poor] = [keyring.wallet(), keyring.wallet()];
    const lamports = 1_000_000_000n;
    const program = asAddress('11111111111111111111111111111111');
    chain.ledger.set(rich, { lamports, program, mint: null, token: null, state: null });
    const before = snapshot(chain.ledger);
    const pay = (from: Address, amount: bigint) => ({
      signatures: [keyring.signature()],
      feePayer: from,
      recentBlockhash: chain.blockhash,
      computeBudget: null,
      tables: null,
      build: (execution: Parameters<typeof transferLamports>[0]) =>
        transferLamports(execution, from, poor, amount),
    });
    const plan = { slot: chain.slot + 1, unixTime: 1, leader: rich };
    const tooMuch = [pay(rich, 100n), pay(rich, 2_000_000_000n), pay(rich, 100n)];
    const unpaid = [pay(rich, 100n), pay(keyring.wallet(), 0n)];
    const whole = [pay(rich, 600_000_000n), pay(rich, 300_000_000n)];
    const { block, landings } = chain.produce({ ...plan, groups: [tooMuch, unpaid] });
    expect(landings).toEqual([null, null]);
    expect(block.transactions).toEqual([]);
    expect(snapshot(chain.ledger)).toEqual(before);
    const next = chain.produce({ ...plan, slot: plan.slot + 1, groups: [whole] });
    expect(next.block.transactions.map(({ error }) => error)).toEqual([null, null]);
    expect(chain.ledger.get(poor).lamports).toBe(900_000_000n);
    expect(chain.ledger.get(rich).lamports).toBe(lamports - 900_000_000n - 10_000n);
  });
});

type State = Map<Address, { readonly lamports: bigint; readonly amountRaw: bigint | null }>;

function stateOf(accounts: ReadonlyMap<Address, { lamports: bigint }>): State {
  return new Map([...accounts].map(([key, { lamports }]) => [key, { lamports, amountRaw: null }]));
}

/** Checks a transaction's balances before it against the state, then applies those after it. */
function follow(state: State, transaction: SimulatedTransaction): number {
  const keys = keysOf(transaction);
  const tokens = new Map(transaction.tokenBalances.map((each) => [each.accountIndex, each]));
  keys.forEach((key, index) => {
    const known = state.get(key) ?? { lamports: 0n, amountRaw: null };
    expect(transaction.lamportsBefore[index]).toBe(known.lamports);
    expect(tokens.get(index)?.beforeRaw ?? null).toBe(known.amountRaw);
    const lamports = transaction.lamportsAfter[index] ?? 0n;
    state.set(key, { lamports, amountRaw: tokens.get(index)?.afterRaw ?? null });
  });
  return keys.length;
}

/** Blocks from the newest one back to the first. */
function branchOf(all: readonly ChainStep[]): ChainStep[] {
  const byHash = new Map(all.map((step) => [step.block.blockhash, step]));
  const branch: ChainStep[] = [];
  for (let step = all.at(-1); step !== undefined; ) {
    branch.push(step);
    step = byHash.get(step.block.previousBlockhash);
  }
  return branch;
}

/** The sum of the changes of a transaction's token balances, without wrapped SOL. */
function changesByMint({ tokenBalances }: SimulatedTransaction): Map<Address, bigint> {
  const changes = new Map<Address, bigint>();
  for (const { mint, beforeRaw, afterRaw } of tokenBalances) {
    if (mint === WRAPPED_SOL) continue;
    changes.set(mint, (changes.get(mint) ?? 0n) + (afterRaw ?? 0n) - (beforeRaw ?? 0n));
  }
  return changes;
}

/**
 * Changes of the supply by token instructions of a successful transaction, read from their bytes.
 */
function supplyChanges(transaction: SimulatedTransaction): Map<Address, bigint> {
  const changes = new Map<Address, bigint>();
  if (transaction.error !== null) return changes;
  const keys = keysOf(transaction);
  const mintOf = new Map(transaction.tokenBalances.map((each) => [each.accountIndex, each.mint]));
  const add = (mint: Address | undefined, change: bigint): void => {
    if (mint !== undefined) changes.set(mint, (changes.get(mint) ?? 0n) + change);
  };
  for (const { programIndex, accountIndexes, data } of transaction.instructions) {
    if (!keys[programIndex]?.startsWith('Token')) continue;
    const [first = -1, second = -1, third = -1] = accountIndexes;
    const amount = data.length >= 9 ? view(data).getBigUint64(1, true) : 0n;
    if (data[0] === 7) add(keys[first], amount);
    if (data[0] === 8) add(mintOf.get(first), -amount);
    const isCharged = data[0] === 12 && keys[second] === market.mints[1] && first !== third;
    if (isCharged) add(keys[second], -withheldOf(amount));
  }
  return changes;
}

/** Token-2022's fee in floats: the values are small enough to be exact. */
function withheldOf(amount: bigint): bigint {
  const cut = Math.ceil((Number(amount) * FEE.feeBps) / 10_000);
  return BigInt(Math.min(cut, Number(FEE.maxFeeRaw)));
}

function isBudget(transaction: SimulatedTransaction, data: Uint8Array): boolean {
  const { instructions } = transaction;
  const instruction = instructions.find((each) => each.data === data);
  const program = keysOf(transaction)[instruction?.programIndex ?? -1];
  return program !== VOTE_PROGRAM && program === 'ComputeBudget111111111111111111111111111111';
}

function snapshot(ledger: Ledger): unknown {
  return [...ledger.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
