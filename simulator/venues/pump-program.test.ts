import { describe, expect, it } from 'vitest';
import { asAddress } from '../../src/model/units.ts';
import { bytesOf, Keyring } from '../chain/keyring.ts';
import { Random } from '../random/random.ts';
import { PUMP, PUMP_AMM, PUMP_FEES_PROGRAM } from './pump-program.ts';

describe('the shared accounts of pump.fun and PumpSwap', () => {
  const keyring = new Keyring(new Random('any'));

  it.each([
    ['global', PUMP.program, PUMP.global],
    ['__event_authority', PUMP.program, PUMP.eventAuthority],
    ['mint-authority', PUMP.program, PUMP.mintAuthority],
    ['global_volume_accumulator', PUMP.program, PUMP.globalVolume],
    ['global_config', PUMP_AMM.program, PUMP_AMM.globalConfig],
    ['__event_authority', PUMP_AMM.program, PUMP_AMM.eventAuthority],
    ['global_volume_accumulator', PUMP_AMM.program, PUMP_AMM.globalVolume],
  ])('are what the seed %s of the IDL gives', (seed, program, address) => {
    expect(keyring.derived(program, seed)).toBe(address);
  });

  it.each([PUMP, PUMP_AMM])(
    'request the fees that the fee program stores for $program',
    (shared) => {
      const config = keyring.derived(PUMP_FEES_PROGRAM, 'fee_config', bytesOf(shared.program));
      expect(config).toBe(shared.feeConfig);
    },
  );

  it('derive for a recorded mint the curve, pool and vaults of its migration', () => {
    const mint = bytesOf(asAddress('npB9cxTzwUiGt7jk2dXZa52xZve8SgVD6Et9Bpipump'));
    expect(keyring.derived(PUMP.program, 'bonding-curve', mint)).toBe(
      '8qoeYoeWG5ifYKp2uAdq7du8zsMB4AbZN7qqbdZnXbaH',
    );
    expect(keyring.derived(PUMP.program, 'pool-authority', mint)).toBe(
      'DvKykSGS4HQXpuXogbfWAoNYTPLWJfTLtPz4xBy9N5fh',
    );
    const v2 = keyring.derived(
      PUMP.program,
      'bonding-curve-v2',
      bytesOf(asAddress('CWiTGbCiDd8BKtNYNE2boT9fJGFG2MU53Uf6HQk4pump')),
    );
    expect(v2).toBe('CFL2VF5HJMMr594er6eFmNrGwtB9NFTFwkoPeS1j36JH');
  });
});
