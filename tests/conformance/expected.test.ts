import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import { cleanText } from '../../src/model/text.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import { EXPECTED_EVENTS } from '../support/expected-events.ts';
import { hasOracle, loadOracle, type Oracle } from '../support/oracle.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/**
 * Expectations that the transaction itself contradicts, with the token instruction that proves it.
 */
const CONTRADICTED = [
  {
    what: 'the input of an OpenBook fill: 82603873 was offered, the vault received 82384120',
    signature:
      '5zyc7NgDiPKuC3KbgwvLr62sDbCkHqXCU2KsgNtBPGcXudP6tikex5sgiRsWrH3fzs5yKQ5JvqsMoV1fYR3GaBX3',
    event: 'swap 3.5',
    field: 'amountIn',
    decoded: '82384120',
    transfer: { outerIx: 3, innerIx: 6, tag: 3, amount: 82_384_120n },
    destination: null,
  },
  {
    what: 'the pool of a Raydium deposit: the address is the account the LP tokens were minted to',
    signature:
      '3YWUfe2pQ5SmpKDR624SWc2yRA4GLkEMZDY5c8A9cG9Zd5jBDUL6a2wGeGKdFS8nEDy5SH1UAc2JQNvs6DA38mC2',
    event: 'liquidity 4.-1',
    field: 'pool',
    decoded: 'DFoKMBcNrvCCzf1VqE6stjXUdSZP65x2utjPqrkWEjPw',
    transfer: { outerIx: 4, innerIx: 2, tag: 7, amount: 66_627_862_783n },
    destination: '7TrQM2fDiH1HGF4yGD9yVekGXNH8mSi8tyZSrCG5paFc',
  },
] as const;

interface Expectation {
  readonly signature: string;
  /** `tx`, `balance <account>` or `<event kind> <outerIx>.<innerIx>`. */
  readonly event: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

interface Decoded {
  readonly transaction: ChainTransaction;
  readonly facts: TransactionFacts;
  readonly blockTimeMs: number | null;
}

const expectations = parse(EXPECTED_EVENTS);
const VALUE_COUNT = 365;

describe.skipIf(!hasTestData || !hasOracle)('published expectations', () => {
  let decoded: ReadonlyMap<string, Decoded>;

  beforeAll(async () => {
    decoded = decodeAll(await loadOracle());
  });

  test.each(expectations)('are met by $event of $signature', ({ signature, event, fields }) => {
    const found = viewOf(decoded.get(signature), event);
    const shown = fields.map(([name]) => [name, valueAt(found, name)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(fields));
  });

  test(`are ${VALUE_COUNT} values, without those that the transactions contradict`, () => {
    const count = expectations.reduce((sum, { fields }) => sum + fields.length, 0);
    expect(count).toBe(VALUE_COUNT);
  });

  test.each(CONTRADICTED)('yield to the transfers: $what', (row) => {
    const one = decoded.get(row.signature);
    const { outerIx, innerIx, tag, amount } = row.transfer;
    const instruction = one?.transaction.instructions.find(
      (candidate) => candidate.outerIx === outerIx && candidate.innerIx === innerIx,
    );
    if (instruction === undefined) throw new Error('the transfer is not in the record');
    const { data } = instruction;
    expect(instruction.programId).toBe(SPL_TOKEN_PROGRAM);
    expect(data[0]).toBe(tag);
    expect(Buffer.from(data).readBigUInt64LE(1)).toBe(amount);
    if (row.destination !== null) expect(instruction.account(1)).toBe(row.destination);
    expect(valueAt(viewOf(one, row.event), row.field)).toBe(row.decoded);
  });
});

/** The transactions of the expectations, from all recorded files. */
function decodeAll(oracle: Oracle): Map<string, Decoded> {
  const wanted = new Set<string>(expectations.map(({ signature }) => signature));
  const decoded = new Map<string, Decoded>();
  const files = [...oracle.walk(resolve(testData, 'chain'))];
  for (const { tx, blockTime } of files.flatMap((file) => oracle.readRecords(file))) {
    const reading = readTransaction(tx);
    if (reading.status !== 'ok' || reading.value.transaction === null) continue;
    const { transaction } = reading.value;
    if (!wanted.has(transaction.signature)) continue;
    const blockTimeMs = typeof blockTime === 'number' ? blockTime * 1_000 : null;
    const facts = decodeTransaction(transaction, 0, new Tally());
    decoded.set(transaction.signature, { transaction, facts, blockTimeMs });
  }
  return decoded;
}

function parse(table: string): Expectation[] {
  let signature = '';
  return table.split('\n').flatMap((line) => {
    const [, event, text] = /^(tx|\w+ \S+) (\S.*)$/u.exec(line) ?? [];
    if (event === undefined || text === undefined) {
      signature = line;
      return [];
    }
    const fields = text.split(', ').map((field) => {
      const [name = '', value = ''] = field.split('=');
      return [name, value === 'SOL' ? WRAPPED_SOL : value] as const;
    });
    return [{ signature, event, fields }];
  });
}

/** The subject of an expectation, with the field names that it uses. */
function viewOf(decoded: Decoded | undefined, event: string): object {
  if (decoded === undefined) throw new Error('the transaction is not recorded');
  const { facts, blockTimeMs } = decoded;
  const [kind, location] = event.split(' ');
  if (kind === 'tx') return transactionView(facts, blockTimeMs);
  if (kind === 'balance') {
    const balance = facts.tokenBalances.find(({ account }) => account === location);
    return balance === undefined ? {} : { ...balance, change: balance.after - balance.before };
  }
  const found = facts.events.find(
    (one) => one.kind === kind && `${one.outerIx}.${one.innerIx}` === location,
  );
  return found === undefined ? {} : eventView(found);
}

function transactionView(facts: TransactionFacts, blockTimeMs: number | null): object {
  const swaps = facts.events.filter((event) => event.kind === 'swap');
  const blockTime =
    blockTimeMs === null ? null : new Date(blockTimeMs).toISOString().replace('.000Z', 'Z');
  const venues = [...new Set(swaps.map(({ venue }) => venue))].join('+');
  return { ...facts, blockTime, venues, swapCount: swaps.length };
}

function eventView(event: ChainEvent): object {
  if (event.kind === 'swap') return { ...event, ...legsOf(event) };
  if (event.kind === 'mintCreated') {
    return { ...event, hasMintAuthority: event.mintAuthority !== null };
  }
  if (event.kind === 'metadataSet') return { ...event, name: cleanText(event.name ?? '', 64) };
  return event;
}

/** Legs in the terms of the expectations: in and out, as the pool and as the trader see them. */
function legsOf(swap: Swap): object {
  const base = {
    mint: swap.baseMint,
    decimals: swap.baseDecimals,
    pool: swap.poolBaseDelta,
    trader: swap.traderBaseDelta,
  };
  const quote = {
    mint: swap.quoteMint,
    decimals: swap.quoteDecimals,
    pool: swap.poolQuoteDelta,
    trader: swap.traderQuoteDelta ?? 0n,
  };
  const [paid, got] = swap.side === 'buy' ? [quote, base] : [base, quote];
  return {
    mintIn: paid.mint,
    decimalsIn: paid.decimals,
    amountIn: paid.pool,
    traderIn: -paid.trader,
    mintOut: got.mint,
    decimalsOut: got.decimals,
    amountOut: -got.pool,
    traderOut: got.trader,
  };
}

/** The field, or the field of a field, as text; undefined when there is none. */
function valueAt(from: object, name: string): string | undefined {
  let value: unknown = from;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value === undefined ? undefined : String(value);
}
