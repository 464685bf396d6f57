import { describe, expect, it } from 'vitest';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { aCase } from '../../../tests/support/mint-case.ts';
import { isIndependentSniper } from './independent-snipers.ts';

const isSniper = (snipes: number, snipedCreators: number, links = linksFrom('x', ['y'])) => {
  const { mintCase, clusters } = readingOf(
    aCase({ wallets: { s: { snipes, snipedCreators } } }),
    links,
  );
  return isIndependentSniper(mintCase, named('s'), clusters());
};

describe('an independent sniper', () => {
  it('has sniped 20 launches of 20 creators', () => {
    expect(isSniper(20, 20)).toBe(true);
    expect(isSniper(19, 19)).toBe(false);
  });

  it('has not sniped a single creator repeatedly', () => {
    expect(isSniper(200, 19)).toBe(false);
  });

  it('is not linked to any wallet', () => {
    expect(isSniper(20, 20, linksFrom('creator', ['s']))).toBe(false);
  });

  it('is not an unknown wallet', () => {
    const { mintCase, clusters } = readingOf(aCase());
    expect(isIndependentSniper(mintCase, named('nobody'), clusters())).toBe(false);
  });
});
