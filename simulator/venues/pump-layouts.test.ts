import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../src/lib/base58.ts';
import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import { octoberLife } from '../../tests/support/october-life.ts';
import { pumpLife } from '../../tests/support/pump-life.ts';
import { hasTestData, testData } from '../../tests/support/test-data.ts';
import type { ExecutedInstruction } from '../chain/execution.ts';
import { PUMP, PUMP_AMM } from './pump-program.ts';

interface Field {
  readonly name: string;
  readonly type: string | { readonly vec: unknown };
}

interface Idl {
  readonly instructions: readonly {
    readonly name: string;
    readonly discriminator: readonly number[];
    readonly accounts: readonly {
      readonly name: string;
      readonly writable?: boolean;
      readonly signer?: boolean;
      readonly address?: string;
    }[];
  }[];
  readonly events: readonly { readonly name: string; readonly discriminator: readonly number[] }[];
  readonly types: readonly { readonly name: string; readonly type: { readonly fields: Field[] } }[];
}

function readPublished(file: string): Idl {
  return JSON.parse(readFileSync(join(testData, 'idl', `${file}.json`), 'utf8'));
}

const EVENT_TAG = 'e445a52e51cb9a1d';
const EMPTY_VECTOR = 0;

/** Reads an event by the field types of the published IDL; null for an unknown event. */
function readEvent({ events, types }: Idl, data: Buffer) {
  const discriminator = [...data.subarray(8, 16)].join();
  const event = events.find((known) => known.discriminator.join() === discriminator);
  if (event === undefined) return null;
  const fields = types.find(({ name }) => name === event.name)?.type.fields ?? [];
  const values: Record<string, unknown> = {};
  let offset = 16;
  for (const { name, type } of fields) {
    const { value, size } = readField(type, data, offset);
    values[name] = value;
    offset += size;
  }
  return { name: event.name, values, bytesLeft: data.length - offset };
}

function readField(type: Field['type'], data: Buffer, offset: number) {
  switch (type) {
    case 'u64':
      return { value: data.readBigUInt64LE(offset), size: 8 };
    case 'i64':
      return { value: data.readBigInt64LE(offset), size: 8 };
    case 'u16':
      return { value: data.readUInt16LE(offset), size: 2 };
    case 'u8':
      return { value: data.readUInt8(offset), size: 1 };
    case 'i128':
      return {
        value: data.readBigUInt64LE(offset) + (data.readBigInt64LE(offset + 8) << 64n),
        size: 16,
      };
    case 'bool':
      return { value: data.readUInt8(offset) === 1, size: 1 };
    case 'pubkey':
      return { value: encodeBase58(data, offset, offset + 32), size: 32 };
    case 'string': {
      const length = data.readUInt32LE(offset);
      return { value: data.toString('utf8', offset + 4, offset + 4 + length), size: 4 + length };
    }
    default:
      expect(data.readUInt32LE(offset)).toBe(EMPTY_VECTOR);
      return { value: [], size: 4 };
  }
}

/** Names of the published accounts that an instruction does not match. */
function wrongAccounts({ instructions }: Idl, { accounts, data }: ExecutedInstruction): string[] {
  const discriminator = [...data.subarray(0, 8)].join();
  const known = instructions.find((published) => published.discriminator.join() === discriminator);
  if (known === undefined) return [`unknown ${discriminator}`];
  return known.accounts.flatMap((published, index) => {
    const given = accounts[index];
    if (given === undefined) return [`${known.name}: no ${published.name}`];
    const isRight =
      given.isWritable === (published.writable ?? false) &&
      given.isSigner === (published.signer ?? false) &&
      (published.address === undefined || published.address === given.address);
    return isRight ? [] : [`${known.name}: ${published.name}`];
  });
}

describe.skipIf(!hasTestData)('the published interfaces of pump.fun and PumpSwap', () => {
  const idls = new Map<string, Idl>();
  if (hasTestData) {
    idls.set(PUMP.program, readPublished('pump.2026-10.idl'));
    idls.set(PUMP_AMM.program, readPublished('pump_amm.2026-10.idl'));
  }
  const idlOf = (program: string): Idl => {
    const idl = idls.get(program);
    if (idl === undefined) throw new Error(`no interface of ${program}`);
    return idl;
  };
  const text = { name: 'Layout', symbol: 'LAY', uri: 'https://example.org/l.json' };
  const stages = [
    pumpLife('create', text).stage,
    pumpLife('create_v2', text).stage,
    octoberLife('layout').stage,
  ];
  const instructions = stages
    .flatMap(({ executions }) => executions)
    .flatMap((execution) => execution.instructions)
    .filter(({ program }) => program === PUMP.program || program === PUMP_AMM.program);
  const isEvent = ({ data }: ExecutedInstruction) =>
    Buffer.from(data).toString('hex', 0, 8) === EVENT_TAG;

  it('match every account in order, including its writable and signer flags', () => {
    const calls = instructions.filter((instruction) => !isEvent(instruction));
    expect(calls.length).toBeGreaterThan(20);
    const wrong = calls.flatMap((call) => wrongAccounts(idlOf(call.program), call));
    expect(wrong).toEqual([]);
  });

  it('explain every byte of every event', () => {
    const names = new Set<string>();
    for (const { program, data } of instructions.filter(isEvent)) {
      const event = readEvent(idlOf(program), Buffer.from(data));
      expect(event?.bytesLeft).toBe(0);
      if (event !== null) names.add(event.name);
    }
    expect([...names].sort()).toEqual([
      'BoostBuyAndBurnEvent',
      'BuyEvent',
      'CompleteEvent',
      'CompletePumpAmmMigrationEvent',
      'CreateEvent',
      'CreatePoolEvent',
      'DepositEvent',
      'InitBoostEvent',
      'PostCompleteBuyEvent',
      'SellEvent',
      'SweepBondingCurveFeeEvent',
      'SweepPoolFeeEvent',
      'TradeEvent',
      'WithdrawEvent',
    ]);
  });

  it('decode trades of a curve as the curve counted them', () => {
    const { stage, launch, buyer } = pumpLife('create_v2', text);
    const emitted = stage.executions
      .flatMap((execution) => execution.instructions)
      .filter((instruction) => instruction.program === PUMP.program && isEvent(instruction))
      .map(({ data }) => readEvent(idlOf(PUMP.program), Buffer.from(data)))
      .filter((event) => event?.name === 'TradeEvent');
    // The first buy: 3 SOL by budget, as in the recorded launch 2RoRJxat….
    expect(emitted[0]?.values).toMatchObject({
      mint: launch.mint,
      user: buyer,
      creator: launch.creator,
      is_buy: true,
      sol_amount: 2_962_962_962n,
      token_amount: 96_449_438_144_093n,
      virtual_sol_reserves: 32_962_962_962n,
      virtual_token_reserves: 976_550_561_855_907n,
      real_sol_reserves: 2_962_962_962n,
      real_token_reserves: 696_650_561_855_907n,
      fee_basis_points: 95n,
      fee: 28_148_149n,
      creator_fee_basis_points: 30n,
      creator_fee: 8_888_889n,
      buyback_fee_basis_points: 5_000n,
      buyback_fee: 14_074_074n,
      ix_name: 'buy_exact_sol_in',
      quote_mint: SYSTEM_PROGRAM,
      quote_amount: 2_962_962_962n,
      virtual_quote_reserves: 32_962_962_962n,
      real_quote_reserves: 2_962_962_962n,
    });
    expect(emitted.map((event) => event?.values.ix_name)).toEqual([
      'buy_exact_sol_in',
      'sell',
      'buy',
      'buy_exact_sol_in',
    ]);
  });
});
