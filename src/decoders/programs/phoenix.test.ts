import { describe, expect, test } from 'vitest';
import { concat, hex, key, u8, u16, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import {
  accountList,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { phoenix, phoenixLayout } from './phoenix.ts';

const SWAP = accountList(9, {
  2: 'market',
  3: 'wallet',
  4: 'user base',
  5: 'user sol',
  6: 'base vault',
  7: 'quote vault',
});
const ORDER = accountList(10, {
  2: 'market',
  3: 'wallet',
  5: 'user base',
  6: 'user sol',
  7: 'base vault',
  8: 'quote vault',
});
const BUY_INNER = [payOut('base vault', 'user base', 40n), payIn('user sol', 'quote vault', 30n)];
const STILL: VaultChanges = { base: [1n, 1n], quote: [1n, 1n] };

describe('a Phoenix swap', () => {
  test('takes its direction from the vaults, not from its arguments', () => {
    for (const side of [0, 1]) {
      const { events } = decode('00', SWAP, BUY_INNER, PURCHASE.vaults, u8(side));
      expect(events).toMatchObject([boughtFrom('phoenix', { pool: address('market') })]);
    }
  });

  test('is ignored when nothing was filled, malformed without its accounts', () => {
    expect(decode('00', SWAP, [], STILL).outcomes.phoenix?.ignored).toBe(1);
    expect(decode('00', SWAP.slice(0, 7), BUY_INNER, PURCHASE.vaults).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('a Phoenix limit order', () => {
  const summary = event(6, 42);
  const placed = event(3, 42);

  test('that was filled completely is a swap of the amounts the vaults moved', () => {
    const inner = [...BUY_INNER, log(event(2, 66), summary)];
    expect(decode('02', ORDER, inner, PURCHASE.vaults).events).toMatchObject([
      { kind: 'swap', poolBaseDelta: -40n, poolQuoteDelta: 30n, quarantine: null },
    ]);
  });

  test.each([
    ['is partly left on the book', [log(event(2, 66), placed, summary)]],
    ['is left on the book according to a second log', [log(event(2, 66)), log(placed)]],
    ['has no log', []],
    ['has an unreadable log', [log(event(2, 66), event(77, 3))]],
    ['has a log truncated within an event', [log(event(2, 60))]],
  ])('that %s has collateral in the same vault and is never priced', (_what, logs) => {
    const reason = 'the vaults also took the collateral of an order left resting';
    const { events, outcomes } = decode('02', ORDER, [...BUY_INNER, ...logs], PURCHASE.vaults);
    expect(events).toMatchObject([{ kind: 'swap', quarantine: reason }]);
    expect(outcomes.phoenix).toMatchObject({ event: 1, quarantined: 1 });
  });

  test('without a match is collateral, not a trade', () => {
    const inner = [payIn('user sol', 'quote vault', 30n), log(placed)];
    const { events, outcomes } = decode('02', ORDER, inner, { ...STILL, quote: [1n, 31n] });
    expect(events).toEqual([]);
    expect(outcomes.phoenix?.ignored).toBe(2);
  });

  test('is malformed without its accounts', () => {
    expect(decode('02', ORDER.slice(0, 8), [], STILL).problems).toMatchObject([
      { problem: 'malformed', reason: 'too few accounts' },
    ]);
  });
});

describe('another instruction of Phoenix', () => {
  test.each(Object.entries(phoenixLayout.ignoredInstructions))('%s is ignored', (_name, tag) => {
    const moved = [payOut('base vault', 'user base', 5n), payOut('quote vault', 'user sol', 7n)];
    const { events, outcomes } = decode(tag, SWAP, moved, { base: [5n, 0n], quote: [7n, 0n] });
    expect(events).toEqual([]);
    expect(outcomes.phoenix).toMatchObject({ ignored: 1, unknown: 0 });
  });

  test('is unknown past the last tag and without any data', () => {
    expect(decode('12', SWAP, [], STILL).problems).toMatchObject([
      { problem: 'unknown', reason: 'unknown discriminator 12' },
    ]);
    expect(decode('', SWAP, [], STILL).outcomes.phoenix?.unknown).toBe(1);
  });
});

test('Phoenix never throws and never invents an amount', () => {
  expect(() => assertNeverInvents(phoenix, phoenixLayout)).not.toThrow();
});

/** A market event: its tag, then fields that are irrelevant here. */
function event(tag: number, fieldBytes: number): Uint8Array {
  return concat(u8(tag), new Uint8Array(fieldBytes).fill(3));
}

/**
 * The program's call to itself: tag, header event, instruction, sequence, time, slot, keys, count.
 */
function log(...marketEvents: readonly Uint8Array[]): InstructionDraft {
  const header = [u8(15), u8(1), u8(2), u64(1n), u64(2n), u64(3n)];
  const keys = [key(address('market')), key(address('wallet'))];
  return {
    program: phoenix.programId,
    data: concat(...header, ...keys, u16(marketEvents.length), ...marketEvents),
  };
}

function decode(
  tag: string,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  changes: VaultChanges,
  rest: Uint8Array = new Uint8Array(50),
) {
  return decodeDraft({
    instructions: [
      {
        program: phoenix.programId,
        accounts,
        data: concat(hex(tag), rest.subarray(0, tag === '' ? 0 : undefined)),
        inner,
      },
    ],
    tokenBalances: vaultBalances(changes),
  });
}
