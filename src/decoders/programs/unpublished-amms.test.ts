import { describe, expect, test } from 'vitest';
import { assertNeverInvents } from '../../../tests/support/decoder-laws.ts';
import { PURCHASE } from '../../../tests/support/pool-legs.ts';
import {
  BOUGHT,
  decodeWitness,
  describeSwapWitnesses,
} from '../../../tests/support/swap-witness.ts';
import { UNPUBLISHED_AMM_WITNESSES } from '../../../tests/support/unpublished-amm-witnesses.ts';
import {
  alphaq,
  aquifer,
  bisonfi,
  deriverse,
  exa6gy,
  flux,
  goonfi,
  goonfiV2,
  humidifi,
  kipseli,
  obricV2,
  obsidian,
  scorch,
  solfi,
  solfiV2,
  tessera,
  zerofi,
} from './unpublished-amms.ts';

describeSwapWitnesses(UNPUBLISHED_AMM_WITNESSES);

describe('a market maker’s AMM', () => {
  test.each(UNPUBLISHED_AMM_WITNESSES)('has only the PURCHASE.legs for $venue', (witness) => {
    expect(decodeWitness(witness).events).toMatchObject([{ legsOnly: true }]);
  });

  test.each([
    ...[solfi, solfiV2, zerofi, obricV2, humidifi, tessera, goonfi, goonfiV2, bisonfi],
    ...[alphaq, kipseli, flux, scorch, obsidian, deriverse, aquifer, exa6gy],
  ])('of $name never invents a swap and never throws', (decoder) => {
    const tags = UNPUBLISHED_AMM_WITNESSES.filter(({ venue }) => venue === decoder.name);
    const instructions = Object.fromEntries(
      tags.map(({ data }, at) => [`${at}`, { discriminator: data.slice(0, 16), accounts: {} }]),
    );
    expect(() => assertNeverInvents(decoder, { instructions, events: {} })).not.toThrow();
  });

  test('has both vaults of a trade shared, and so no reserves, when they own themselves', () => {
    const [found] = UNPUBLISHED_AMM_WITNESSES.filter(({ venue }) => venue === 'alphaq');
    if (found === undefined) throw new Error('no witness');
    expect(decodeWitness(found).events).toMatchObject([{ ...BOUGHT, reserves: null }]);
  });
});

describe('a leveraged Deriverse position', () => {
  test('exchanges tokens and is not a swap', () => {
    const [swap] = UNPUBLISHED_AMM_WITNESSES.filter(({ venue }) => venue === 'deriverse');
    if (swap === undefined) throw new Error('no witness');
    const { events, problems } = decodeWitness(
      { ...swap, data: `55${'00'.repeat(31)}` },
      PURCHASE.legs,
    );
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ problem: 'unknown' }]);
  });
});
