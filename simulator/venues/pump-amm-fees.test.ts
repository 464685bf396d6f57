import { describe, expect, it } from 'vitest';
import { canonicalFees } from './pump-amm-fees.ts';

const SOL = 1_000_000_000n;

describe('canonicalFees', () => {
  it.each([
    [0n, 2n, 93n, 30n],
    [420n * SOL - 1n, 2n, 93n, 30n],
    [420n * SOL, 20n, 5n, 95n],
    [1_470n * SOL - 1n, 20n, 5n, 95n],
    [1_470n * SOL, 20n, 5n, 90n],
    [20_000n * SOL, 20n, 5n, 60n],
    [98_240n * SOL, 20n, 5n, 5n],
    [10_000_000n * SOL, 20n, 5n, 5n],
  ])('at %s lamports are those of the published table', (marketCap, lp, protocol, creator) => {
    expect(canonicalFees(marketCap)).toEqual({
      lpBps: lp,
      protocolBps: protocol,
      creatorBps: creator,
    });
  });

  it('at the recorded 813.77 SOL are those the pool charged', () => {
    // get_fees of transaction 2zNeSn8c…: 813,774,243,213 lamports; its BuyEvent has 20, 5 and 95.
    expect(canonicalFees(813_774_243_213n)).toEqual({
      lpBps: 20n,
      protocolBps: 5n,
      creatorBps: 95n,
    });
  });
});
