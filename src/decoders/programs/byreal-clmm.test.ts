import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import {
  accountList,
  BASE_MINT,
  decodeDraft,
  payIn,
  payOut,
  type VaultChanges,
  vaultBalances,
} from '../../../tests/support/pool-transaction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { clmmLayout } from '../families/clmm-layout.ts';
import { byrealClmm, byrealClmmLayout } from './byreal-clmm.ts';

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
    const inner = [payIn('user sol', 'quote vault', 30n), payOut('base vault', 'user base', 40n)];
    const changes: VaultChanges = { base: [100n, 60n], quote: [100n, 130n] };
    expect(decode(name, SWAP, inner, changes).events).toMatchObject([
      {
        kind: 'swap',
        venue: 'byreal_clmm',
        pool: address('pool'),
        trader: address('wallet'),
        side: 'buy',
        poolBaseDelta: -40n,
        poolQuoteDelta: 30n,
        quarantine: null,
      },
    ]);
  });
});

describe('a new Byreal pool', () => {
  test.each(['create_pool', 'create_pool_decay_fee'] as const)('is created by %s', (name) => {
    const named = { 0: 'wallet', 4: 'pool', 8: 'base vault', 9: 'quote vault' };
    const empty: VaultChanges = { base: [0n, 0n], quote: [0n, 0n] };
    expect(decode(name, accountList(16, named), [], empty).events).toMatchObject([
      {
        kind: 'poolCreated',
        venue: 'byreal_clmm',
        pool: address('pool'),
        baseMint: BASE_MINT,
        quoteMint: WRAPPED_SOL,
        creator: address('wallet'),
        baseRaw: 0n,
        quoteRaw: 0n,
      },
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

function decode(
  name: keyof typeof byrealClmmLayout.instructions,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  changes: VaultChanges,
) {
  const data = concat(hex(byrealClmmLayout.instructions[name].discriminator), u64(1n), u64(2n));
  return decodeDraft({
    instructions: [{ program: byrealClmm.programId, accounts, data, inner }],
    tokenBalances: vaultBalances(changes),
  });
}
