import { describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import { PumpStage, SOL } from '../../tests/support/pump-stage.ts';
import { createAccount, rentExemptLamports } from './system.ts';
import { initializeMint } from './token.ts';
import {
  initializeTokenMetadata,
  initializeTransferFee,
  metadataSpace,
  POINTED_MINT_SPACE,
  pointMetadataAtMint,
  setMetadataAuthority,
} from './token-2022.ts';

const TEXT = {
  name: 'The Ass Statue',
  symbol: 'TAS',
  uri: 'https://meta.uxento.io/data/714b0bec-90cb-4cbb-9598-b7bcbcd3bd06',
};

describe('metadata on a mint', () => {
  it('costs the rent that recorded launch 2RoRJxat… paid for its text', () => {
    expect(rentExemptLamports(metadataSpace(TEXT)) - rentExemptLamports(0)).toBe(1_148_400n);
    expect(rentExemptLamports(POINTED_MINT_SPACE)).toBe(2_519_520n);
  });

  it('decodes with its text, a transfer fee and the authority removed', () => {
    const stage = new PumpStage('token 2022');
    const creator = stage.wallet(SOL);
    const mint = stage.keyring.wallet();
    stage.succeed(
      creator,
      (execution) => {
        createAccount(execution, creator, mint, POINTED_MINT_SPACE, TOKEN_2022_PROGRAM);
        pointMetadataAtMint(execution, mint);
        initializeTransferFee(execution, mint, { feeBps: 250, maxFeeRaw: 9_000n }, creator);
        initializeMint(execution, TOKEN_2022_PROGRAM, mint, {
          decimals: 6,
          mintAuthority: creator,
          freezeAuthority: null,
        });
        initializeTokenMetadata(execution, {
          mint,
          mintAuthority: creator,
          updateAuthority: creator,
          text: TEXT,
        });
        setMetadataAuthority(execution, mint, creator, null);
      },
      [mint],
    );
    const facts = stage.decode();
    expect(facts.problems).toEqual([]);
    const events = facts.transactions.flatMap((transaction) => transaction.events);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'metadataSet', mint, ...TEXT, updateAuthority: creator }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'metadataSet', mint, updateAuthority: null }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'mintExtension',
        mint,
        extension: expect.objectContaining({ feeBps: 250, maxFeeRaw: 9_000n }),
      }),
    );
  });
});
