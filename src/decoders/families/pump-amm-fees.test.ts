import { describe, expect, test } from 'vitest';
import { concat, hex, key, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import {
  ALICE,
  CAT_MINT,
  CREATOR_FEES,
  eventsOf,
  POOL,
  POOL_QUOTE,
  PROTOCOL,
  PUMP_AMM,
  selfEvent,
  vault,
} from '../../../tests/support/pump-amm-drafts.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';

const { instructions, events } = pumpAmmLayout;

describe('a sweep of the fees kept by a pool', () => {
  test.each([
    ['protocol', instructions.sweep_protocol_fee.discriminator, 0, PROTOCOL],
    ['creator', instructions.sweep_creator_fee.discriminator, 1, CREATOR_FEES],
  ] as const)('takes the %s bucket out of the quote vault', (bucket, tag, number, recipient) => {
    const legs = [tokenTransfer(POOL_QUOTE, recipient, POOL, 84_076n)];
    const draft = sweep(tag, [...legs, sweepEvent(84_076n, number)]);
    expect(decode(draft, 84_076n)).toEqual([
      {
        kind: 'feeSweep',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump_amm',
        pool: POOL,
        mint: WRAPPED_SOL,
        bucket,
        amountRaw: 84_076n,
        poolDelta: -84_076n,
      },
    ]);
  });

  test('is the transferred amount when its event is missing', () => {
    const legs = [tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 5n)];
    const draft = sweep(instructions.sweep_protocol_fee.discriminator, legs);
    expect(decode(draft, 5n)).toMatchObject([{ amountRaw: 5n, poolDelta: -5n }]);
  });

  test('of zero is ignored', () => {
    const draft = sweep(instructions.sweep_creator_fee.discriminator, [sweepEvent(0n, 1)]);
    expect(result(draft, 0n)).toEqual({ status: 'ignored' });
  });

  test.each([
    ['another amount', [sweepEvent(6n, 0)], 'sweep event contradicts its transfers'],
    ['the other bucket', [sweepEvent(5n, 1)], 'sweep event contradicts its transfers'],
    [
      'a truncated event',
      [selfEvent(events.SweepPoolFeeEvent.discriminator, new Uint8Array(50))],
      'sweep event ends inside its fields',
    ],
  ])('is malformed with %s', (_name, published, reason) => {
    const legs = [tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 5n), ...published];
    const draft = sweep(instructions.sweep_protocol_fee.discriminator, legs);
    expect(result(draft, 5n)).toEqual({ status: 'malformed', reason });
  });

  test('is malformed when it fills the vault, or lists too few accounts', () => {
    const tag = instructions.sweep_protocol_fee.discriminator;
    const filled = sweep(tag, [tokenTransfer(PROTOCOL, POOL_QUOTE, ALICE, 5n)]);
    expect(result(filled, -5n)).toMatchObject({ reason: 'a sweep that fills the vault' });
    const short = { program: PUMP_AMM, accounts: [ALICE, POOL], data: hex(tag) };
    expect(result(short, 0n)).toMatchObject({ reason: 'too few accounts' });
  });
});

describe("a change of a pool's coin creator", () => {
  const NEW = address('new creator');
  const OLD = address('old creator');
  const CURVE = address('curve');
  const time = u64(1_791_444_341n);
  const coin = concat(key(CAT_MINT), key(POOL));
  const whole = {
    admin_cto_pool: ['AdminCtoPoolEvent', concat(time, coin, key(OLD), key(NEW), u8(0), u8(1))],
    admin_set_coin_creator: [
      'AdminSetCoinCreatorEvent',
      concat(time, key(ALICE), coin, key(OLD), key(NEW)),
    ],
    migrate_pool_coin_creator: [
      'MigratePoolCoinCreatorEvent',
      concat(time, coin, key(CURVE), key(OLD), key(NEW)),
    ],
    set_coin_creator: ['SetBondingCurveCoinCreatorEvent', concat(time, coin, key(CURVE), key(NEW))],
  } as const;
  const names = Object.keys(whole) as (keyof typeof whole)[];

  test.each(names)('names the wallet paid from then on: %s', (name) => {
    const [event, fields] = whole[name];
    expect(eventsOf(result(change(name, event, fields), 0n))).toEqual([
      {
        kind: 'creatorChange',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump_amm',
        mint: CAT_MINT,
        pool: POOL,
        feeRecipient: NEW,
      },
    ]);
  });

  test('is also read from the metadata event', () => {
    const fields = concat(time, coin, key(address('metadata')), key(NEW));
    const draft = change('set_coin_creator', 'SetMetaplexCoinCreatorEvent', fields);
    expect(eventsOf(result(draft, 0n))).toMatchObject([{ mint: CAT_MINT, feeRecipient: NEW }]);
  });

  test.each([
    ['the same creator', NEW],
    ['none', SYSTEM_PROGRAM],
  ])('to %s is ignored', (_name, to) => {
    const fields = concat(time, coin, key(NEW), key(to), u8(0));
    const draft = change('admin_cto_pool', 'AdminCtoPoolEvent', fields);
    expect(result(draft, 0n)).toEqual({ status: 'ignored' });
  });

  test('without an event is ignored, since nothing names the mint', () => {
    const draft = { ...change('set_coin_creator', 'AdminCtoPoolEvent', time), inner: [] };
    expect(result(draft, 0n)).toEqual({ status: 'ignored' });
  });

  test('is malformed with a truncated event, or with one of another pool', () => {
    const [event, fields] = whole.admin_set_coin_creator;
    const short = change('admin_set_coin_creator', event, fields.subarray(0, -1));
    expect(result(short, 0n)).toMatchObject({ reason: 'creator event ends inside its fields' });
    const other = concat(time, key(CAT_MINT), key(CURVE), key(OLD), key(NEW));
    const strange = change('admin_cto_pool', 'AdminCtoPoolEvent', other);
    expect(result(strange, 0n)).toMatchObject({ reason: 'creator event of another pool' });
  });

  function change(
    name: keyof typeof whole,
    event: keyof typeof events,
    fields: Uint8Array,
  ): InstructionDraft {
    const { discriminator, accounts } = instructions[name];
    const before = ['payer', 'config'].slice(0, accounts.pool).map(address);
    return {
      program: PUMP_AMM,
      accounts: [...before, POOL],
      data: hex(discriminator),
      inner: [selfEvent(events[event].discriminator, fields)],
    };
  }
});

function sweep(tag: string, inner: readonly InstructionDraft[]): InstructionDraft {
  const named = ['payer', 'config', POOL, WRAPPED_SOL, 'token program', POOL_QUOTE, 'recipient'];
  const accounts = named.map((word) => (word.length >= 32 ? word : address(word)));
  return { program: PUMP_AMM, accounts, data: hex(tag), inner };
}

function sweepEvent(amount: bigint, bucket: number): InstructionDraft {
  const keys = [POOL, CAT_MINT, WRAPPED_SOL, address('recipient'), address('payer')];
  const fields = concat(u64(1_791_444_341n), ...keys.map(key), u64(amount), u8(bucket));
  return selfEvent(events.SweepPoolFeeEvent.discriminator, fields);
}

function result(draft: InstructionDraft, swept: bigint) {
  const tokenBalances = [vault(POOL_QUOTE, WRAPPED_SOL, [1_000_000n, 1_000_000n - swept])];
  return decodeDraft({ signers: [address('payer')], instructions: [draft], tokenBalances });
}

function decode(draft: InstructionDraft, swept: bigint) {
  return eventsOf(result(draft, swept));
}
