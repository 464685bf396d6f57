import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../tests/support/build-transaction.ts';
import { burn, mintTo, transfer } from '../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../model/program.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { clmmLayout } from './families/clmm-layout.ts';
import { meteoraDammV2Layout } from './families/meteora-damm-v2-layout.ts';
import { meteoraDlmmLayout } from './families/meteora-dlmm-layout.ts';
import { pumpAmmLayout } from './families/pump-amm-layout.ts';
import { pumpLayout } from './families/pump-layout.ts';
import { jupiterLockLayout } from './programs/jupiter-lock.ts';
import { meteoraDammV1Layout } from './programs/meteora-damm-v1.ts';
import { meteoraDbcLayout } from './programs/meteora-dbc.ts';
import { raydiumAmmV4Layout } from './programs/raydium-amm-v4.ts';
import { raydiumCpmmLayout } from './programs/raydium-cpmm.ts';
import { raydiumLockLayout } from './programs/raydium-lock.ts';
import { streamflowLayout } from './programs/streamflow.ts';
import { DECODERS } from './registry.ts';
import { Tally } from './tally.ts';
import { SELF_EVENT_TAG } from './transaction/discriminator.ts';

const ACCOUNTS = Array.from({ length: 12 }, (_, index) => address(`account ${index}`));
const LAYOUTS = [
  meteoraDlmmLayout,
  meteoraDammV1Layout,
  meteoraDammV2Layout,
  meteoraDbcLayout,
  pumpLayout,
  pumpAmmLayout,
  raydiumAmmV4Layout,
  raydiumCpmmLayout,
  clmmLayout,
  jupiterLockLayout,
  raydiumLockLayout,
  streamflowLayout,
];
/** Every discriminator that a decoder reads, with the self-event tag before those of events. */
const KNOWN_STARTS = LAYOUTS.flatMap((layout) => [
  ...Object.values(layout.instructions).map(({ discriminator }) => discriminator),
  ...Object.values(layout.events).map(({ discriminator }) => SELF_EVENT_TAG + discriminator),
]).map(hex);

const programs = fc.constantFrom<string>(
  ...DECODERS.map(({ programId }) => programId),
  SPL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  SYSTEM_PROGRAM,
  address('unknown program'),
);
const data = fc
  .tuple(
    fc.oneof(fc.constantFrom(...KNOWN_STARTS), fc.uint8Array({ maxLength: 2 })),
    fc.uint8Array({ maxLength: 300 }),
  )
  .map(([start, rest]) => concat(start, rest));
const accounts = fc.array(fc.constantFrom(...ACCOUNTS), { maxLength: 24 });
const leaf = fc.record({ program: programs, accounts, data });
const instruction = fc
  .tuple(leaf, fc.array(leaf, { maxLength: 5 }))
  .map(([outer, inner]): InstructionDraft => ({ ...outer, inner }));
const balances = fc.array(
  fc.record({
    account: fc.constantFrom(...ACCOUNTS),
    mint: fc.constantFrom(address('mint a'), address('mint b')),
    before: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    after: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  }),
  { maxLength: 8 },
);

describe('decoding any transaction', () => {
  test('never throws, and a decoder never fails, on any data and accounts', () => {
    fc.assert(
      fc.property(
        fc.array(instruction, { maxLength: 4 }),
        balances,
        fc.boolean(),
        (instructions, tokenBalances, hasStackHeights) => {
          const { tally } = decode({ instructions, tokenBalances, hasStackHeights });
          expect(tally.problems.filter(({ problem }) => problem === 'failed')).toEqual([]);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  test('never yields a swap from instructions that move nothing', () => {
    const still = fc
      .record({ program: programs, accounts, data })
      .filter(({ program }) => program !== SPL_TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM);
    fc.assert(
      fc.property(fc.array(still, { maxLength: 6 }), balances, (instructions, tokenBalances) => {
        const { facts } = decode({ instructions, tokenBalances });
        expect(facts.events.filter(({ kind }) => kind === 'swap')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('gives a failed transaction its error and fee, but no events', () => {
    const moving = transfer({ from: 'a', to: 'b', by: 'wallet', amount: 5n });
    const { facts, tally } = decode({
      instructions: [moving],
      error: '{"InstructionError":[0,1]}',
    });
    expect(facts).toMatchObject({
      error: '{"InstructionError":[0,1]}',
      feeLamports: 5_000n,
      events: [],
      tokenBalances: [],
      tips: [],
    });
    expect(tally.outcomes).toEqual({});
  });

  test('F-20 reports a transaction that cannot be read, and keeps what is known of it', () => {
    const draft = buildTransaction({ signers: [address('wallet')], instructions: [] });
    const tally = new Tally();
    const unreadable = Object.defineProperty({ ...draft }, 'instructions', {
      get: () => {
        throw new RangeError('no instruction is where it should be');
      },
    });
    const facts = decodeTransaction(unreadable, 3, tally);
    expect(facts).toMatchObject({ txIndex: 3, feePayer: address('wallet'), events: [], tips: [] });
    expect(tally.problems).toMatchObject([
      { signature: draft.signature, reason: 'no instruction is where it should be' },
    ]);
  });

  test('gives a v1 transaction the total fee and limit of its config, others no total', () => {
    const draft = buildTransaction({ signers: [address('wallet')], instructions: [] });
    const config = { priorityFeeLamports: 7_000n, computeUnitLimit: 450_000 };
    const facts = decodeTransaction({ ...draft, version: 1, config }, 0, new Tally());
    expect(facts).toMatchObject({
      priorityFeeLamports: 7_000n,
      computeUnitLimit: 450_000,
      computeUnitPriceMicroLamports: null,
    });
    expect(decodeTransaction(draft, 0, new Tally())).not.toHaveProperty('priorityFeeLamports');
  });

  test('names the nearest venue that a burn happened below, or none', () => {
    const cpmm = programNamed('raydium_cpmm');
    const pump = programNamed('pump');
    const burned = burn('lp account', 'lp mint', 5n);
    const { facts } = decode({
      instructions: [
        burned,
        { program: cpmm, inner: [burned] },
        { program: pump, inner: [burned, { program: cpmm, inner: [burned] }] },
        { program: address('a router'), inner: [burned, mintTo('lp mint', 'lp account', 9n)] },
      ],
    });
    const burns = facts.events.flatMap((event) => (event.kind === 'tokenTransfer' ? event : []));
    expect(burns.map(({ transferKind, burnVenue }) => [transferKind, burnVenue])).toEqual([
      ['burn', null],
      ['burn', 'raydium_cpmm'],
      ['burn', 'pump'],
      ['burn', 'raydium_cpmm'],
      ['burn', null],
      ['mintTo', undefined],
    ]);
  });

  test('counts an unknown instruction and reports it', () => {
    const strange = {
      program: programNamed('raydium_clmm'),
      data: concat(hex('00'.repeat(8)), u64(1n)),
    };
    const { tally } = decode({ instructions: [strange] });
    expect(tally.outcomes.raydium_clmm).toMatchObject({ unknown: 1, event: 0 });
    expect(tally.problems).toMatchObject([
      { problem: 'unknown', reason: 'unknown discriminator 0000000000000000' },
    ]);
  });
});

type Draft = Omit<Parameters<typeof buildTransaction>[0], 'signers'>;

function decode(draft: Draft) {
  const tally = new Tally();
  const transaction = buildTransaction({ signers: [address('account 0')], ...draft });
  return { facts: decodeTransaction(transaction, 0, tally), tally };
}

function programNamed(name: string): string {
  return DECODERS.find((decoder) => decoder.name === name)?.programId ?? '';
}
