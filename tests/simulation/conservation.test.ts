/**
 * No lamport or token appears or disappears without a cause in a market with every kind of
 * activity. Read only from the JSON text a node would send: not from the simulation's books, and
 * not with the service's readers.
 */
import { describe, expect, test } from 'vitest';
import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import { blockText } from '../../simulator/faces/format-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import {
  createdTokens,
  keysOfRecord,
  programsOfRecord,
  type RawAnswer,
  type RawRecord,
  type RawTokenBalance,
} from '../support/raw-answers.ts';

/** Slots that are not checked, until slow attacks have begun. */
const SLOTS_BEFORE = 850;
const SLOTS = 550;
/** Rent of a token account of the classic program, in addition to wrapped lamports. */
const TOKEN_ACCOUNT_RENT = 2_039_280n;
/** Pump, PumpSwap, Raydium's AMM and CPMM, Meteora's DLMM, both lockers, the aggregator. */
const PROGRAMS = [
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
  'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA',
  '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
  'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
  'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
  'LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE',
  'strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m',
  'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
];

interface SlotAnswer {
  readonly slot: number;
  readonly answer: RawAnswer;
}

const simulation = createSimulation(eventfulMarket('conservation'));
/** Transfer fees of the mints created so far, in basis points. */
const feeBps = new Map<string, bigint>();
for (let passed = 0; passed < SLOTS_BEFORE; passed++) {
  const block = simulation.step()?.block;
  const hasFee = block?.transactions.some(({ instructions }) => instructions.some(setsFee));
  if (block === undefined || hasFee !== true) continue;
  for (const record of readAnswer(block).transactions) createdTokens(record, feeBps);
}
let skipped = 0;
let dropped = 0;
const answers: SlotAnswer[] = [];
for (let passed = 0; passed < SLOTS; passed++) {
  const step = simulation.step();
  if (step === null) skipped++;
  else {
    if (!step.isCanonical) dropped++;
    answers.push({ slot: step.block.slot, answer: readAnswer(step.block) });
  }
}
const records = answers.flatMap(({ answer }) => answer.transactions);

describe('a market with every kind of activity', () => {
  test('contains every kind of activity that these tests check', () => {
    expect(records.length).toBeGreaterThan(10_000);
    expect([skipped > 5, dropped > 5]).toEqual([true, true]);
    const programs = new Set(records.flatMap((record) => [...programsOfRecord(record)]));
    expect(PROGRAMS.filter((program) => !programs.has(program))).toEqual([]);
    expect(new Set(records.map(({ version }) => version))).toEqual(new Set(['legacy', 0]));
    const { attacks, benign } = simulation.truth.labels;
    const types = new Set(attacks.map(({ type }) => type));
    const families = new Set(benign.map(({ family }) => family));
    expect([types.size > 4, families.size > 12]).toEqual([true, true]);
    const failed = records.filter(({ meta }) => meta.err !== null).length;
    expect(failed / records.length).toBeGreaterThan(0.01);
    const moved = new Set(records.flatMap((record) => [...tokenChanges(record).keys()]));
    expect([...feeBps.keys()].filter((mint) => moved.has(mint)).length).toBeGreaterThan(1);
  });

  test('loses only the fee in each transaction, and no other lamport', () => {
    for (const { meta, transaction } of records) {
      const lost = sum(meta.preBalances) - sum(meta.postBalances);
      expect([transaction.signatures[0], lost]).toEqual([
        transaction.signatures[0],
        BigInt(meta.fee),
      ]);
    }
  });

  test('creates and destroys tokens only by mints and burns', () => {
    for (const record of records) {
      const { err } = record.meta;
      const created = err === null ? createdTokens(record, feeBps) : new Map<string, bigint>();
      const changes = tokenChanges(record);
      for (const mint of new Set([...created.keys(), ...changes.keys()])) {
        // Wrapped SOL is created from lamports and has its own test.
        if (mint === WRAPPED_SOL) continue;
        const signature = record.transaction.signatures[0];
        expect([signature, mint, changes.get(mint) ?? 0n]).toEqual([
          ...[signature, mint, created.get(mint) ?? 0n],
        ]);
      }
    }
  });

  test('has in each account as much wrapped SOL as lamports above the rent', () => {
    let seen = 0;
    for (const { meta } of records) {
      const sides = [
        [meta.preTokenBalances, meta.preBalances],
        [meta.postTokenBalances, meta.postBalances],
      ] as const;
      for (const [tokens, lamports] of sides) {
        for (const { accountIndex, mint, uiTokenAmount } of tokens) {
          if (mint !== WRAPPED_SOL) continue;
          seen++;
          const above = BigInt(lamports[accountIndex] ?? -1) - TOKEN_ACCOUNT_RENT;
          expect(above).toBe(BigInt(uiTokenAmount.amount));
        }
      }
    }
    expect(seen).toBeGreaterThan(4_000);
  });

  test('has no negative balance, and changes only the payer in a failed transaction', () => {
    for (const { meta } of records) {
      const { preBalances, postBalances, preTokenBalances, postTokenBalances } = meta;
      expect(Math.min(...preBalances, ...postBalances)).toBeGreaterThanOrEqual(0);
      for (const { uiTokenAmount } of [...preTokenBalances, ...postTokenBalances]) {
        expect(uiTokenAmount.amount).toMatch(/^\d+$/);
      }
      if (meta.err === null) continue;
      expect(postBalances.slice(1)).toEqual(preBalances.slice(1));
      expect(postTokenBalances).toEqual(preTokenBalances);
    }
  });

  test('begins each transaction with the balances of the previous one, also after a fork', () => {
    const followed = new FollowedBalances();
    const breaks: string[] = [];
    for (const block of answers) breaks.push(...followed.follow(block));
    expect(breaks).toEqual([]);
    expect(followed.takenBack).toBe(dropped);
    expect(followed.compared).toBeGreaterThan(100_000);
  });

  test('ends with all initial lamports except the fees', () => {
    const followed = new FollowedBalances();
    for (const block of answers) followed.follow(block);
    const { firstLamports, lastLamports, feesLamports } = followed.total();
    expect(firstLamports - lastLamports).toBe(feesLamports);
  });
});

function readAnswer(block: SimulatedBlock): RawAnswer {
  return JSON.parse(blockText(block, 'json')) as RawAnswer;
}

/**
 * Whether an instruction can be Token-2022's fee configuration of a mint; others may pass as well.
 */
function setsFee({ data }: { readonly data: Uint8Array }): boolean {
  return data[0] === 26;
}

/** Every account's balances after the newest branch; blocks of other branches are reverted. */
class FollowedBalances {
  compared = 0;
  takenBack = 0;
  private readonly first = new Map<string, bigint>();
  private readonly balances = new Map<string, string>();
  private readonly blocks: {
    readonly slot: number;
    readonly blockhash: string;
    readonly before: Map<string, string | undefined>;
    feesLamports: bigint;
  }[] = [];

  /** Accounts whose balances do not continue their last ones, as texts. */
  follow({ slot, answer }: SlotAnswer): string[] {
    while (this.blocks.length > 0 && this.blocks.at(-1)?.slot !== answer.parentSlot) {
      this.takeBack();
    }
    const breaks: string[] = [];
    const parent = this.blocks.at(-1)?.blockhash ?? answer.previousBlockhash;
    if (parent !== answer.previousBlockhash) breaks.push(`slot ${slot} follows another block`);
    const block = { slot, blockhash: answer.blockhash, before: new Map(), feesLamports: 0n };
    this.blocks.push(block);
    for (const record of answer.transactions) {
      block.feesLamports += BigInt(record.meta.fee);
      breaks.push(...this.apply(record, block.before));
    }
    return breaks;
  }

  total(): { firstLamports: bigint; lastLamports: bigint; feesLamports: bigint } {
    const last = [...this.balances]
      .filter(([name]) => name.endsWith(' lamports'))
      .reduce((total, [, text]) => total + BigInt(text), 0n);
    return {
      firstLamports: [...this.first.values()].reduce((total, lamports) => total + lamports, 0n),
      lastLamports: last,
      feesLamports: this.blocks.reduce((total, { feesLamports }) => total + feesLamports, 0n),
    };
  }

  private takeBack(): void {
    this.takenBack++;
    for (const [name, text] of this.blocks.pop()?.before ?? []) {
      if (text !== undefined) this.balances.set(name, text);
      else {
        this.balances.delete(name);
        this.first.delete(name);
      }
    }
  }

  private apply(record: RawRecord, before: Map<string, string | undefined>): string[] {
    const { meta } = record;
    const starts = balancesOf(record, meta.preBalances, meta.preTokenBalances);
    const ends = balancesOf(record, meta.postBalances, meta.postTokenBalances);
    const breaks: string[] = [];
    for (const [name, start] of starts) {
      const known = this.balances.get(name);
      if (known !== undefined) {
        this.compared++;
        if (known !== start) breaks.push(`${name}: ${known}, then ${start}`);
      } else if (name.endsWith(' lamports') && !this.first.has(name)) {
        this.first.set(name, BigInt(start));
      }
      if (!before.has(name)) before.set(name, known);
      this.balances.set(name, ends.get(name) ?? '');
    }
    return breaks;
  }
}

/** Lamports and tokens of every account of a transaction, by name; no tokens as ''. */
function balancesOf(
  record: RawRecord,
  lamports: readonly number[],
  tokens: readonly RawTokenBalance[],
): Map<string, string> {
  const named = new Map<string, string>();
  keysOfRecord(record).forEach((key, index) => {
    named.set(`${key} lamports`, String(lamports[index]));
    named.set(`${key} tokens`, '');
  });
  const keys = keysOfRecord(record);
  for (const { accountIndex, mint, uiTokenAmount } of tokens) {
    named.set(`${keys[accountIndex]} tokens`, `${uiTokenAmount.amount} of ${mint}`);
  }
  return named;
}

function tokenChanges({ meta }: RawRecord): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  const add = (mint: string, raw: bigint) => changes.set(mint, (changes.get(mint) ?? 0n) + raw);
  for (const { mint, uiTokenAmount } of meta.postTokenBalances) {
    add(mint, BigInt(uiTokenAmount.amount));
  }
  for (const { mint, uiTokenAmount } of meta.preTokenBalances) {
    add(mint, -BigInt(uiTokenAmount.amount));
  }
  return changes;
}

function sum(lamports: readonly number[]): bigint {
  return lamports.reduce((total, each) => total + BigInt(each), 0n);
}
