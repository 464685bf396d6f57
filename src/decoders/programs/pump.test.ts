import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, hex, key, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import {
  CAT,
  catBalances,
  PUMP,
  selfEvent,
  systemTransfer,
  TRADE_EVENT,
  tokenTransfer,
  tradeDraft,
  tradeFields,
} from '../../../tests/support/pump-drafts.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import { readTransaction } from '../../chain/rpc-json/read-block.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { pumpLayout } from '../families/pump-layout.ts';
import { Tally } from '../tally.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { pump } from './pump.ts';

const COMPLETE_EVENT = '5f72619cd42e9808';
const MIGRATION_EVENT = 'bde95db95c94ea94';
const SUPPLY = 10n ** 15n;

describe('the buy that completes a curve', () => {
  it('is followed by its completion', () => {
    const instruction = tradeDraft('buy', [
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, 40n),
      systemTransfer(CAT.alice, CAT.curve, 9n),
      selfEvent(TRADE_EVENT, tradeFields({ isBuy: true, solAmount: 9n, tokenAmount: 40n })),
      selfEvent(COMPLETE_EVENT, concat(key(CAT.alice), key(CAT.mint), key(CAT.curve), u64(1n))),
    ]);
    const events = decode(instruction, 40n);
    expect(events.map(({ kind }) => kind)).toEqual(['swap', 'curveComplete']);
    expect(events[1]).toEqual({
      kind: 'curveComplete',
      outerIx: 0,
      innerIx: -1,
      venue: 'pump',
      mint: CAT.mint,
      pool: CAT.curve,
    });
  });
});

describe('migrate', () => {
  const pool = address('cat pool');
  const event = (tokens: bigint) =>
    selfEvent(
      MIGRATION_EVENT,
      concat(
        key(CAT.alice),
        key(CAT.mint),
        u64(tokens),
        u64(84_990_359_420n),
        u64(15_000_001n),
        key(CAT.curve),
        u64(1_750_000_000n),
        key(pool),
      ),
    );
  const moved = tokenTransfer(CAT.baseVault, address('pool authority cats'), CAT.curve, 500n);
  const draft = (inner: readonly InstructionDraft[]): InstructionDraft => ({
    program: PUMP,
    accounts: [
      address('global'),
      address('withdraw authority'),
      CAT.mint,
      CAT.curve,
      CAT.baseVault,
      CAT.alice,
      SYSTEM_PROGRAM,
      SPL_TOKEN_PROGRAM,
      address('pump amm'),
      pool,
    ],
    data: hex('9beae792ec9ea21e'),
    inner,
  });
  const migration = {
    kind: 'migrate',
    outerIx: 0,
    innerIx: -1,
    venue: 'pump',
    mint: CAT.mint,
    fromPool: CAT.curve,
    toPool: pool,
    baseRaw: 500n,
    quoteRaw: 84_990_359_420n,
  };

  it('moves a curve to a pool', () => {
    expect(decode(draft([moved, event(500n)]), 500n)).toEqual([migration]);
  });

  it('reads the accounts of its second form', () => {
    const second: InstructionDraft = {
      ...draft([moved, event(500n)]),
      accounts: [
        address('global'),
        address('withdraw authority'),
        CAT.mint,
        WRAPPED_SOL,
        CAT.curve,
        CAT.baseVault,
        CAT.quoteVault,
        CAT.alice,
        SYSTEM_PROGRAM,
        address('pump amm'),
        pool,
      ],
      data: hex('bbcb121fceedfe29'),
    };
    expect(decode(second, 500n)).toEqual([migration]);
  });

  it('of a migrated curve does nothing and is ignored', () => {
    expect(decode(draft([]))).toEqual([]);
    expect(problemsOf(draft([]))).toEqual([]);
  });

  it('is malformed when its event reports more tokens than left the curve', () => {
    expect(problemsOf(draft([moved, event(501n)]))).toEqual([
      'malformed: event says 501 tokens, 500 left the curve',
    ]);
  });

  it('is malformed when tokens left and no event shows where the SOL went', () => {
    expect(problemsOf(draft([moved]))).toEqual(['malformed: a migration without its event']);
  });
});

describe('pump', () => {
  it('ignores instructions without facts: settings, fee claims, the withdrawal of 2024', () => {
    const ignored = ['1beab2349302bb8d', '1416567bc61cdb84', 'b712469c946da122'];
    for (const discriminator of ignored) {
      expect(decodeAlone({ program: PUMP, data: hex(discriminator) })).toEqual({
        status: 'ignored',
      });
    }
  });

  it('knows the instructions of October 2026 that concern no trade and no fee', () => {
    const ignored = ['623691610246ad2b', 'ef49f5add1b15442', '209a98db8e6cdaa5'];
    for (const discriminator of ignored) {
      expect(decodeAlone({ program: PUMP, data: hex(discriminator) }).status).toBe('ignored');
    }
  });

  it('reports an unknown instruction', () => {
    expect(decodeAlone({ program: PUMP, data: hex('0102030405060708ff') })).toEqual({
      status: 'unknown',
      discriminator: '0102030405060708',
    });
  });

  it('reports an unknown event, and ignores those read with their instruction', () => {
    expect(decodeAlone(selfEvent('0102030405060708', new Uint8Array(3)))).toEqual({
      status: 'unknown',
      discriminator: '0102030405060708',
    });
    expect(decodeAlone(selfEvent(TRADE_EVENT, new Uint8Array(3)))).toEqual({ status: 'ignored' });
  });

  it('is malformed when accounts are missing', () => {
    const { accounts = [], ...sale } = tradeDraft('sell', []);
    expect(decodeAlone({ ...sale, accounts: accounts.slice(0, 6) })).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
  });

  it('never throws on any events below any instruction', () => {
    const tagOf = ({ discriminator }: { readonly discriminator: string }) => discriminator;
    const instruction = fc.constantFrom(...Object.values(pumpLayout.instructions).map(tagOf));
    const event = fc
      .tuple(
        fc.constantFrom(...Object.values(pumpLayout.events).map(tagOf)),
        fc.uint8Array({ maxLength: 420 }),
      )
      .map(([tag, fields]) => selfEvent(tag, fields));
    const leg = fc
      .tuple(fc.constantFrom(CAT.baseVault, CAT.aliceBase, CAT.quoteVault), fc.bigInt(0n, 99n))
      .map(([from, amount]) => tokenTransfer(from, CAT.aliceBase, from, amount));
    const accounts = fc.array(fc.constantFrom(...Object.values(CAT)), { maxLength: 30 });
    const inner = fc.array(fc.oneof(event, leg), { maxLength: 5 });
    fc.assert(
      fc.property(instruction, accounts, inner, (tag, named, called) => {
        const draft = { program: PUMP, accounts: named, data: hex(tag), inner: called };
        const reasons = problemsOf(draft).filter((problem) => problem.startsWith('failed'));
        expect(reasons).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws on any data and yields no event from bytes alone', () => {
    const known = ['181ec828051c0777', 'd6904cec5f8b31b4', '66063d1201daebea', '33e685a4017f83ad'];
    const later = ['07051dc4f5176550', 'e19a7516d756f667', '0830be07b644b7e5', '7d7ed6864de5bc59'];
    const others = ['b817ee6167c5d33d', '9beae792ec9ea21e', '00'];
    const tags = fc.constantFrom(...known, ...later, ...others);
    fc.assert(
      fc.property(tags, fc.uint8Array({ maxLength: 200 }), fc.nat(30), (tag, bytes, count) => {
        const accounts = Array.from({ length: count }, (_, at) => address(`account ${at}`));
        const data = concat(hex(tag), bytes);
        const result = decodeAlone({ program: PUMP, accounts, data });
        const kinds = result.status === 'event' ? result.events.map(({ kind }) => kind) : [];
        expect(kinds.filter((kind) => kind !== 'launch' && kind !== 'metadataSet')).toEqual([]);
      }),
    );
  });
});

describe.skipIf(!hasTestData)('recorded transactions', () => {
  const folder = '0xjeffro+tx-parser/solana/data';
  it.each([
    ['pumpfun_buy_0.json', 'buy', 56_716_561_396_327n, 3_000_000_000n, 30_000_000n],
    ['pumpfun_buy_1.json', 'buy', 34_612_901_212_710n, 1_000_000_000n, 10_000_000n],
    // The seller's lamports rose by 37052911064 and it tipped 10000000: it received 37062911064.
    ['pumpfun_sell_0.json', 'sell', 592_443_959_000_000n, 37_437_283_903n, 374_372_839n],
  ])('%s is one %s of the published amounts', (file, side, tokens, sol, fee) => {
    const swaps = recorded(`${folder}/${file}`).filter(({ kind }) => kind === 'swap');
    const sign = side === 'buy' ? 1n : -1n;
    expect(swaps).toHaveLength(1);
    expect(swaps[0]).toMatchObject({
      side,
      poolBaseDelta: -sign * tokens,
      poolQuoteDelta: sign * sol,
      traderBaseDelta: sign * tokens,
      traderQuoteDelta: -sign * sol - fee,
      feeQuoteRaw: fee,
      quarantine: null,
    });
  });

  it('pumpfun_buy_bundle.json is four buys by four wallets', () => {
    const swaps = recorded(`${folder}/pumpfun_buy_bundle.json`).filter(
      (event) => event.kind === 'swap',
    );
    expect(swaps.slice(0, 3).map((swap) => [swap.trader, swap.poolQuoteDelta])).toEqual([
      ['Gh6D6DZcASQLc2XoLpctT74KbRr4nrHF8wNptweckHoA', 386_100_226n],
      ['7SPkzf8DSxdemSKMEEKquRKEYrdDjcuHaQwac5nvnB4b', 386_820_768n],
      ['GdCFP1doq784rQTHJDuvpLchVWoMtJwdAM8MQTCHWTuz', 393_794_276n],
    ]);
    expect(swaps.slice(0, 3).map(({ feeQuoteRaw }) => feeQuoteRaw)).toEqual([
      3_861_002n,
      3_868_207n,
      3_937_942n,
    ]);
    expect(new Set(swaps.map(({ trader }) => trader)).size).toBe(4);
  });

  it('pumpfun_create_0.json launches MOO DOG', () => {
    const events = recorded(`${folder}/pumpfun_create_0.json`);
    expect(events.find(({ kind }) => kind === 'launch')).toMatchObject({
      mint: '5dNYcCZXEGfGgbdUdq7MMR7KLsNJLLLgL83wLH8Fpump',
      pool: 'CQrqvWERJtEjw2rCCQV6EqfM6V6jzTuKjhJjKNFmGB7r',
      creator: '6xo262KbDXepWbF3vPTrFXysr5vJwk3mozBXmXk3hmMx',
      supply: SUPPLY,
    });
    expect(events.find(({ kind }) => kind === 'metadataSet')).toMatchObject({
      name: 'MOO DOG',
      symbol: 'MOODOG',
      uri: 'https://ipfs.io/ipfs/QmbeFeWTrm1u1ev5VreMoqNK4aVuxtBXKpMdTrjdnHj7P3',
    });
  });
});

/** Events of a transaction of one instruction in which `sold` tokens left the curve. */
function decode(instruction: InstructionDraft, sold = 0n): readonly ChainEvent[] {
  return decodeAll(instruction, sold).events.filter(
    ({ kind }) => kind !== 'tokenTransfer' && kind !== 'solTransfer',
  );
}

function problemsOf(instruction: InstructionDraft): string[] {
  const { tally } = decodeAll(instruction, 0n);
  return tally.problems.map(({ problem, reason }) => `${problem}: ${reason}`);
}

function decodeAll(instruction: InstructionDraft, sold: bigint) {
  const transaction = buildTransaction({
    signers: [CAT.alice],
    instructions: [instruction],
    tokenBalances: catBalances(sold),
    lamports: { [CAT.curve]: [100n, 100n + (sold === 40n ? 9n : 0n)] },
  });
  const tally = new Tally();
  return { events: decodeTransaction(transaction, 0, tally).events, tally };
}

function decodeAlone(instruction: InstructionDraft) {
  const transaction = buildTransaction({ signers: [CAT.alice], instructions: [instruction] });
  const view = new TransactionView(transaction, (programId) => programId === PUMP);
  return pump.decode(transaction.instructions[0] as Instruction, view);
}

function recorded(path: string): readonly ChainEvent[] {
  const answer: unknown = JSON.parse(readFileSync(resolve(testData, 'chain', path), 'utf8'));
  const reading = readTransaction(Array.isArray(answer) ? answer[0] : answer);
  const transaction: ChainTransaction | null =
    reading.status === 'ok' ? reading.value.transaction : null;
  if (transaction === null) throw new Error(`${path} is no transaction`);
  return decodeTransaction(transaction, 0, new Tally()).events;
}
