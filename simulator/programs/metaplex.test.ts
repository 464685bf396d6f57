import { describe, expect, it } from 'vitest';
import { SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import { PumpStage, SOL } from '../../tests/support/pump-stage.ts';
import { createMetaplexMetadata } from './metaplex.ts';
import { createAccount } from './system.ts';
import { initializeMint, MINT_SPACE } from './token.ts';

describe('createMetaplexMetadata', () => {
  it('decodes with its text and creator, and costs what recorded launches paid', () => {
    const stage = new PumpStage('metaplex');
    const creator = stage.wallet(SOL);
    const mint = stage.keyring.wallet();
    const metadata = stage.keyring.account();
    const text = { name: 'costco', symbol: 'COSTCO', uri: 'https://ipfs.io/ipfs/Qmc4' };
    stage.succeed(
      creator,
      (execution) => {
        createAccount(execution, creator, mint, MINT_SPACE, SPL_TOKEN_PROGRAM);
        initializeMint(execution, SPL_TOKEN_PROGRAM, mint, {
          decimals: 6,
          mintAuthority: creator,
          freezeAuthority: null,
        });
        createMetaplexMetadata(execution, {
          metadata,
          mint,
          mintAuthority: creator,
          updateAuthority: creator,
          payer: creator,
          text,
          creator,
          isMutable: false,
        });
      },
      [mint],
    );
    const facts = stage.decode();
    expect(facts.problems).toEqual([]);
    const events = facts.transactions.flatMap((transaction) => transaction.events);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'metadataSet',
        standard: 'metaplex',
        mint,
        ...text,
        updateAuthority: creator,
        sellerFeeBps: 0,
        creators: [{ address: creator, verified: false, sharePercent: 100 }],
        isMutable: false,
        tokenStandard: 'Fungible',
      }),
    );
    // 0xe6a550, the transfer below CreateMetadataAccountV3 of launch a9tyifZa….
    expect(stage.ledger.get(metadata).lamports).toBe(15_115_600n);
  });
});
