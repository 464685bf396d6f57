import { describe, expect, test } from 'vitest';
import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import { expectExplained, LAMPORTS, Scene } from '../../tests/support/simulated-scene.ts';
import { planToken, type TokenSettings } from './planned-token.ts';

const TEXT = { name: 'Plain', symbol: 'PLN', uri: 'https://example.org/p.json' };

function create(settings: Partial<TokenSettings>) {
  const scene = new Scene();
  const creator = scene.wallet(LAMPORTS);
  const token = planToken(scene, {
    ...{ creator, text: TEXT, decimals: 8, supplyRaw: 21n * 10n ** 14n, transferFee: null },
    ...settings,
  });
  const build = token.create;
  const created = scene.run({ payer: creator, signers: token.createSigners, build });
  return { scene, creator, token, created };
}

describe('a token created without a launchpad', () => {
  test('is a plain mint with metadata, with a fixed supply held by its creator', () => {
    const { scene, creator, token, created } = create({});
    expectExplained(created);
    const { mint } = token;
    const events = created.events.filter(({ kind }) => kind !== 'solTransfer');
    expect(events).toMatchObject([
      { kind: 'mintCreated', mint, decimals: 8, tokenProgram: SPL_TOKEN_PROGRAM },
      { kind: 'metadataSet', standard: 'metaplex', mint, name: 'Plain', symbol: 'PLN' },
      { kind: 'tokenTransfer', transferKind: 'mintTo', toOwner: creator },
      { kind: 'authority', mint, authorityKind: 'mint', newAuthority: null },
    ]);
    expect(scene.held(creator, mint)).toBe(21n * 10n ** 14n);
    expect(scene.ledger.mint(mint).freezeAuthority).toBeNull();
  });

  test('is a mint of Token-2022 with a transfer fee if requested', () => {
    const transferFee = { feeBps: 250, maxFeeRaw: 10n ** 9n };
    const { token, created } = create({ transferFee, hasFreezeAuthority: true });
    expectExplained(created);
    const extensions = created.events.filter(({ kind }) => kind === 'mintExtension');
    expect(extensions).toMatchObject([
      { mint: token.mint, extension: { kind: 'transferFee', feeBps: 250, maxFeeRaw: 10n ** 9n } },
    ]);
    const minted = created.events.find(({ kind }) => kind === 'mintCreated');
    expect(minted).toMatchObject({ tokenProgram: TOKEN_2022_PROGRAM });
  });

  test('can be minted further if its creator keeps the authority', () => {
    const { scene, creator, token, created } = create({ keepsMintAuthority: true });
    expectExplained(created);
    expect(scene.ledger.mint(token.mint).mintAuthority).toBe(creator);
  });
});
