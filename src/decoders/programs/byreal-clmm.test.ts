import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import { poolProgram } from '../../../tests/support/pool-program.ts';
import {
  accountList,
  decodeDraft,
  type VaultChanges,
} from '../../../tests/support/pool-transaction.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { byrealClmm, byrealClmmLayout } from './byreal-clmm.ts';

const { decode } = poolProgram(byrealClmm, byrealClmmLayout);

const SWAP = accountList(15, {
  0: 'wallet',
  2: 'pool',
  3: 'user sol',
  4: 'user base',
  5: 'quote vault',
  6: 'base vault',
});

describe('a Byreal swap', () => {
  test.each(['swap', 'swap_v2', 'swap_v3_dyn'] as const)('is read from %s', (name) => {
    expect(decode(name, SWAP, PURCHASE.legs, PURCHASE.vaults).events).toMatchObject([
      boughtFrom('byreal_clmm'),
    ]);
  });
});

describe('a new Byreal pool', () => {
  test.each(['create_pool', 'create_pool_decay_fee'] as const)('is created by %s', (name) => {
    const named = { 0: 'wallet', 4: 'pool', 8: 'base vault', 9: 'quote vault' };
    const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };
    expect(decode(name, accountList(16, named), [], empty).events).toMatchObject([
      createdBy('byreal_clmm'),
    ]);
  });
});

test('the Byreal program has no Raydium routes', () => {
  const data = hex(clmmLayout.instructions.swap_router_base_in.discriminator);
  const { outcomes } = decodeDraft({ instructions: [{ program: byrealClmm.programId, data }] });
  expect(outcomes.byreal_clmm).toMatchObject({ unknown: 1, event: 0 });
});

test('every discriminator of the Byreal layout is the hash of its name', () => {
  const { instructions, ignoredInstructions } = byrealClmmLayout;
  const read = Object.entries(instructions).map(([name, { discriminator }]) => [
    name,
    discriminator,
  ]);
  const all = [...read, ...Object.entries(ignoredInstructions)] as [string, string][];
  const hashed = all.map(([name]) => [
    name,
    createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16),
  ]);
  expect(all).toEqual(hashed);
});

describeDecoderLaws('the Byreal decoder', byrealClmm, byrealClmmLayout);
