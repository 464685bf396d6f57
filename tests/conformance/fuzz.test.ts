import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { DECODERS, isVenueProgram } from '../../src/decoders/registry.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { SELF_EVENT_TAG } from '../../src/decoders/transaction/discriminator.ts';
import type { ProgramLayout } from '../../src/decoders/transaction/program-layout.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import { concat, hex } from '../support/borsh-bytes.ts';
import { address, buildTransaction, type InstructionDraft } from '../support/build-transaction.ts';
import { movedAtMost } from '../support/moved-at-most.ts';
import { anyMutation, type Mutation, mutate } from '../support/mutate-transaction.ts';
import { recordedTransactions } from '../support/recorded-by-program.ts';
import { hasTestData } from '../support/test-data.ts';
import { transfer } from '../support/token-instructions.ts';

/**
 * All decoders together on input that no honest node sends. MINTSCOPE_TEST_FUZZ_RUNS sets the number of
 * transactions per property; a failure prints the seed and path that repeat it.
 */
const RUNS = Number(process.env.MINTSCOPE_TEST_FUZZ_RUNS ?? 400);
const TIMEOUT_MS = 30_000 + RUNS * 40;
const WORDS = Array.from({ length: 40 }, (_, index) => address(`account ${index}`));

let starts: fc.Arbitrary<Uint8Array>;

beforeAll(async () => {
  const layouts = await everyLayout();
  const known = layouts.flatMap(({ instructions, events, ignoredInstructions }) => [
    ...[...Object.values(instructions)].map(({ discriminator }) => discriminator),
    ...Object.values(ignoredInstructions),
    ...Object.values(events).map(({ discriminator }) => SELF_EVENT_TAG + discriminator),
  ]);
  starts = fc.constantFrom(...known.map(hex));
});

const programs = fc.constantFrom(
  ...DECODERS.map(({ programId }) => programId),
  address('stranger'),
);
const words = fc.constantFrom(...WORDS);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const move = fc
  .record({ from: fc.nat({ max: 39 }), to: fc.nat({ max: 39 }), amount: u64 })
  .map(({ from, to, amount }) =>
    transfer({ from: `account ${from}`, to: `account ${to}`, by: 'somebody', amount }),
  );
const balances = fc.array(
  fc.record({
    account: words,
    mint: fc.constantFrom(address('mint a'), address('mint b'), address('mint c')),
    before: u64,
    after: u64,
  }),
  { maxLength: 30 },
);

describe('decoding input that no honest node sends', () => {
  test(
    'neither throws nor invents an amount, for any instructions, account lists and balances',
    () => {
      const call = fc.record({
        program: programs,
        accounts: fc.array(words, { maxLength: 400, size: 'large' }),
        data: fc
          .tuple(
            fc.oneof(starts, fc.uint8Array({ maxLength: 3 })),
            fc.uint8Array({ maxLength: 400 }),
          )
          .map(([start, rest]) => concat(start, rest)),
      });
      const inner = fc.array(fc.oneof(call, move), { maxLength: 8 });
      const outer = fc
        .tuple(call, inner)
        .map(([draft, below]): InstructionDraft => ({ ...draft, inner: below }));
      const transactions = fc.record({
        instructions: fc.array(outer, { maxLength: 5 }),
        tokenBalances: balances,
        hasStackHeights: fc.boolean(),
        signers: fc.constant([address('somebody')]),
      });
      fc.assert(
        fc.property(transactions, (draft) => assertHonest(buildTransaction(draft))),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );

  test(
    'neither throws nor invents an amount with a thousand calls, nested or in a row',
    () => {
      const path = fc.array(fc.record({ program: programs, accounts: fc.array(words) }), {
        minLength: 1,
        maxLength: 6,
      });
      fc.assert(
        fc.property(
          path,
          move,
          fc.boolean(),
          fc.boolean(),
          (calls, leg, isDeep, hasStackHeights) => {
            const callAt = (index: number) => calls[index % calls.length] ?? leg;
            let deepest: InstructionDraft = leg;
            for (let depth = 0; isDeep && depth < 1_000; depth++) {
              deepest = { ...callAt(depth), inner: [deepest] };
            }
            const wide = Array.from({ length: 1_000 }, (_, index) =>
              index % 2 === 0 ? leg : callAt(index),
            );
            const instructions = [isDeep ? deepest : { ...callAt(0), inner: wide }];
            const signers = [address('somebody')];
            const tokenBalances = WORDS.map((account) => ({ account, mint: address('mint a') }));
            const draft = { signers, instructions, tokenBalances, hasStackHeights };
            assertHonest(buildTransaction(draft));
          },
        ),
        { numRuns: Math.ceil(RUNS / 20) },
      );
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(!hasTestData)('decoding recorded transactions that were tampered with', () => {
  let recorded: readonly ChainTransaction[];

  beforeAll(async () => {
    recorded = await recordedTransactions(SPL_TOKEN_PROGRAM);
  });

  test(
    'neither throws nor invents an amount after any changes',
    () => {
      fc.assert(
        fc.property(
          fc.nat(),
          fc.array(anyMutation, { minLength: 1, maxLength: 6 }),
          (choice, mutations) => {
            const transaction = recorded[choice % recorded.length] as ChainTransaction;
            assertHonest(mutate(transaction, mutations));
          },
        ),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );

  test(
    'reports the same amounts or none when arguments of swaps were changed',
    () => {
      const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
      const change = fc.record({ at: share, offset: share, byte: fc.nat({ max: 255 }) });
      const traded = recorded.filter((transaction) => swapsOf(transaction).length > 0);
      expect(traded.length).toBeGreaterThan(200);
      fc.assert(
        fc.property(
          fc.nat(),
          fc.array(change, { minLength: 1, maxLength: 4 }),
          (choice, changes) => {
            const transaction = traded[choice % traded.length] as ChainTransaction;
            const tampered = changes.reduce(withOtherArgument, transaction);
            const honest = new Set(swapsOf(transaction).map(amountsAt));
            for (const swap of swapsOf(tampered)) {
              if (swap.quarantine === null) expect(honest).toContain(amountsAt(swap));
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});

/** Checks that no decoder failed and that no event reports more than `movedAtMost`. */
function assertHonest(transaction: ChainTransaction): void {
  const tally = new Tally();
  const { events } = decodeTransaction(transaction, 0, tally);
  expect(tally.problems.filter(({ problem }) => problem === 'failed')).toEqual([]);
  const most = movedAtMost(transaction);
  const reported = events.flatMap(amountsOf);
  expect(reported.filter((amount) => amount > most || amount < -most)).toEqual([]);
}

/** Amounts that an event reports as moved. A quarantined swap reports none. */
function amountsOf(event: ChainEvent): readonly bigint[] {
  switch (event.kind) {
    case 'swap':
      return event.quarantine === null ? [event.poolBaseDelta, event.poolQuoteDelta] : [];
    case 'liquidity':
      return [event.poolBaseDelta, event.poolQuoteDelta, event.lpDelta ?? 0n];
    case 'migrate':
      return [event.baseRaw, event.quoteRaw];
    case 'tokenTransfer':
      return [event.amountGross, event.feeWithheld];
    case 'tokenLock':
      return [event.escrowDelta];
    case 'solTransfer':
      return [event.lamports];
    default:
      return [];
  }
}

function swapsOf(transaction: ChainTransaction): Swap[] {
  const { events } = decodeTransaction(transaction, 0, new Tally());
  return events.flatMap((event) => (event.kind === 'swap' ? event : []));
}

function amountsAt({ outerIx, innerIx, venue, side, ...swap }: Swap): string {
  const { baseMint, quoteMint, poolBaseDelta, poolQuoteDelta } = swap;
  return [outerIx, innerIx, venue, side, baseMint, poolBaseDelta, quoteMint, poolQuoteDelta].join();
}

/** Discriminators have at most eight bytes; what follows are arguments. */
const DISCRIMINATOR_BYTES = 8;

/** Another byte among the arguments of one instruction of a venue; its events stay the same. */
function withOtherArgument(
  transaction: ChainTransaction,
  { at, offset, byte }: { at: number; offset: number; byte: number },
): ChainTransaction {
  const { instructions } = transaction;
  const calls = instructions.filter(
    ({ programId, data }) =>
      isVenueProgram(programId) &&
      data.length > DISCRIMINATOR_BYTES &&
      !Buffer.from(data).toString('hex').startsWith(SELF_EVENT_TAG),
  );
  const chosen = calls[Math.floor(at * calls.length)];
  if (chosen === undefined) return transaction;
  const argumentCount = chosen.data.length - DISCRIMINATOR_BYTES;
  const place = DISCRIMINATOR_BYTES + Math.floor(offset * argumentCount);
  const mutation: Mutation = {
    kind: 'byte',
    at: (chosen.index + 0.5) / instructions.length,
    offset: (place + 0.5) / chosen.data.length,
    byte,
  };
  return mutate(transaction, [mutation]);
}

/** All layouts exported by the files of programs and their shared modules. */
async function everyLayout(): Promise<ProgramLayout[]> {
  const folders = ['src/decoders', 'src/decoders/programs'].map((folder) => resolve(folder));
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => resolve(folder, name)),
  );
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(file).href)),
  );
  return modules.flatMap((exported) => Object.values(exported).filter(isLayout));
}

function isLayout(value: unknown): value is ProgramLayout {
  return typeof value === 'object' && value !== null && 'ignoredInstructions' in value;
}
