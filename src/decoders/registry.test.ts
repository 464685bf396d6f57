import { describe, expect, test } from 'vitest';
import { hex } from '../../tests/support/borsh-bytes.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { KNOWN_PROGRAMS } from '../../tests/support/known-programs.ts';
import { PURCHASE } from '../../tests/support/pool-legs.ts';
import { accountList, decodeDraft, vaultBalances } from '../../tests/support/pool-transaction.ts';
import { BOUGHT } from '../../tests/support/swap-witness.ts';
import { DEX_NAME_OF_VENUE, isVenue } from '../model/program.ts';
import { asAddress } from '../model/units.ts';
import { DECODERS, decoderOf } from './registry.ts';
import { ROUTER_PROGRAMS } from './transaction/router-programs.ts';

describe('the registry', () => {
  test('has the decoder of every venue and router at its published address', () => {
    const found = Object.entries(KNOWN_PROGRAMS).map(([, program]) => [
      decoderOf(asAddress(program))?.name,
      program,
    ]);
    expect(found).toEqual(Object.entries(KNOWN_PROGRAMS));
  });

  test('has a decoder for every venue except the inferred one, and none twice', () => {
    const names = DECODERS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(DECODERS.map(({ programId }) => programId)).size).toBe(names.length);
    const venues = Object.keys(DEX_NAME_OF_VENUE).filter((venue) => venue !== 'inferred');
    expect(names.filter(isVenue).sort()).toEqual(venues.sort());
  });
});

test.each(Object.keys(ROUTER_PROGRAMS))('a swap below %s has it as its router', (router) => {
  const swap = {
    program: KNOWN_PROGRAMS.solfi_v2 ?? '',
    accounts: accountList(13, {
      ...{ 0: 'wallet', 1: 'pool', 4: 'base vault', 5: 'quote vault' },
      ...{ 6: 'user base', 7: 'user sol' },
    }),
    data: hex('07127e2e6b00000000000000000000000000'),
    inner: PURCHASE.legs,
  };
  const middleman = { program: address('middleman'), inner: [swap] };
  const { events } = decodeDraft({
    instructions: [{ program: KNOWN_PROGRAMS[router] ?? '', inner: [middleman] }],
    tokenBalances: vaultBalances(PURCHASE.vaults),
  });
  expect(events).toMatchObject([{ ...BOUGHT, router: KNOWN_PROGRAMS[router] }]);
});
