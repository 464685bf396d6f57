import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { TOKEN_2022_PROGRAM } from '../../model/program.ts';
import { rebuildInstruction } from './parsed-instruction.ts';

const MINT = address('mint');
const OTHER = address('other');
const OWNER = address('owner');
const ONE = address('one');
const TWO = address('two');
const hexOf = (key: string) => Buffer.from(bs58.decode(key)).toString('hex');
const ZERO_KEY = '00'.repeat(32);
const THOUSAND = 'e803000000000000';
const ELGAMAL = 'ab'.repeat(32);
const elGamalText = Buffer.from(ELGAMAL, 'hex').toString('base64');
const byOwner = { authority: OWNER };
const bySeveral = { multisigAuthority: OWNER, signers: [ONE, TWO] };

type Case = readonly [
  type: string,
  info: Readonly<Record<string, unknown>>,
  accounts: readonly string[],
  data: string,
];

/**
 * Fields by the names the node gives them, bytes by hand from the program's interface: tag, second
 * tag, then the fields, integers little endian, a key of zeros for none.
 */
const CASES: readonly Case[] = [
  [
    'setTransferFee',
    {
      mint: MINT,
      transferFeeConfigAuthority: OWNER,
      transferFeeBasisPoints: 300,
      maximumFee: 1000,
    },
    [MINT, OWNER],
    `1a052c01${THOUSAND}`,
  ],
  [
    'setTransferFee',
    {
      mint: MINT,
      multisigtransferFeeConfigAuthority: OWNER,
      signers: [ONE],
      transferFeeBasisPoints: 1,
      maximumFee: 1000,
    },
    [MINT, OWNER, ONE],
    `1a050100${THOUSAND}`,
  ],
  [
    'withdrawWithheldTokensFromAccounts',
    {
      mint: MINT,
      feeRecipient: OTHER,
      withdrawWithheldAuthority: OWNER,
      sourceAccounts: [ONE, TWO],
    },
    [MINT, OTHER, OWNER, ONE, TWO],
    '1a0302',
  ],
  [
    'initializeConfidentialTransferMint',
    { mint: MINT, autoApproveNewAccounts: true, auditorElGamalPubkey: elGamalText },
    [MINT],
    `1b00${ZERO_KEY}01${ELGAMAL}`,
  ],
  [
    'updateConfidentialTransferMint',
    {
      mint: MINT,
      confidentialTransferMintAuthority: OWNER,
      autoApproveNewAccounts: false,
      auditorElGamalPubkey: null,
    },
    [MINT, OWNER],
    `1b0100${ZERO_KEY}`,
  ],
  [
    'depositConfidentialTransfer',
    { source: ONE, destination: TWO, mint: MINT, amount: 1000, decimals: 6, owner: OWNER },
    [ONE, TWO, MINT],
    '1b05',
  ],
  ['initializeDefaultAccountState', { mint: MINT, accountState: 'frozen' }, [MINT], '1c0002'],
  [
    'updateDefaultAccountState',
    { mint: MINT, accountState: 'initialized', freezeAuthority: OWNER },
    [MINT, OWNER],
    '1c0101',
  ],
  [
    'reallocate',
    {
      account: ONE,
      payer: TWO,
      systemProgram: OTHER,
      owner: OWNER,
      extensionTypes: ['memoTransfer', 'pausableAccount'],
    },
    [ONE, TWO, OTHER, OWNER],
    '1d08001b00',
  ],
  ['enableRequiredMemoTransfers', { account: ONE, owner: OWNER }, [ONE, OWNER], '1e00'],
  ['initializeNonTransferableMint', { mint: MINT }, [MINT], '20'],
  [
    'initializeInterestBearingConfig',
    { mint: MINT, rateAuthority: OWNER, rate: 500 },
    [MINT],
    `2100${hexOf(OWNER)}f401`,
  ],
  [
    'initializeInterestBearingConfig',
    { mint: MINT, rateAuthority: null, rate: -1 },
    [MINT],
    `2100${ZERO_KEY}ffff`,
  ],
  [
    'updateInterestBearingConfigRate',
    { mint: MINT, newRate: -32768, rateAuthority: OWNER },
    [MINT, OWNER],
    '21010080',
  ],
  [
    'disableCpiGuard',
    { account: ONE, multisigOwner: OWNER, signers: [TWO] },
    [ONE, OWNER, TWO],
    '2201',
  ],
  ['initializePermanentDelegate', { mint: MINT, delegate: OWNER }, [MINT], `23${hexOf(OWNER)}`],
  ['initializeTransferHook', { mint: MINT }, [MINT], `2400${ZERO_KEY}${ZERO_KEY}`],
  [
    'updateTransferHook',
    { mint: MINT, programId: OTHER, ...bySeveral },
    [MINT, OWNER, ONE, TWO],
    `2401${hexOf(OTHER)}`,
  ],
  [
    'updateMetadataPointer',
    { mint: MINT, metadataAddress: OTHER, ...byOwner },
    [MINT, OWNER],
    `2701${hexOf(OTHER)}`,
  ],
  [
    'initializeGroupMemberPointer',
    { mint: MINT, authority: OWNER, memberAddress: OTHER },
    [MINT],
    `2900${hexOf(OWNER)}${hexOf(OTHER)}`,
  ],
  // 1.5 is 0x3ff8… and 0.1 is 0x3fb999999999999a (IEEE 754).
  [
    'initializeScaledUiAmountConfig',
    { mint: MINT, authority: OWNER, multiplier: '1.5' },
    [MINT],
    `2b00${hexOf(OWNER)}000000000000f83f`,
  ],
  [
    'updateMultiplier',
    { mint: MINT, newMultiplier: '0.1', newMultiplierTimestamp: -1, ...byOwner },
    [MINT, OWNER],
    `2b019a9999999999b93f${'ff'.repeat(8)}`,
  ],
  ['initializePausableConfig', { mint: MINT, authority: null }, [MINT], `2c00${ZERO_KEY}`],
  ['pause', { mint: MINT, ...byOwner }, [MINT, OWNER], '2c01'],
  ['resume', { mint: MINT, ...byOwner }, [MINT, OWNER], '2c02'],
  [
    'permissionedBurn',
    { account: ONE, mint: MINT, permissionedBurnAuthority: OTHER, amount: '1000', ...byOwner },
    [ONE, MINT, OTHER, OWNER],
    `2e01${THOUSAND}`,
  ],
  [
    'permissionedBurnChecked',
    {
      account: ONE,
      mint: MINT,
      permissionedBurnAuthority: OTHER,
      tokenAmount: { amount: '1000', decimals: 6 },
      ...byOwner,
    },
    [ONE, MINT, OTHER, OWNER],
    `2e02${THOUSAND}06`,
  ],
  [
    'removeTokenMetadataKey',
    { metadata: MINT, updateAuthority: OWNER, key: 'k', idempotent: true },
    [MINT, OWNER],
    'ea122038598d25b501010000006b',
  ],
  ['emitTokenMetadata', { metadata: MINT, end: 1000 }, [MINT], `faa6b4fa0d0cb8460001${THOUSAND}`],
  [
    'initializeTokenGroup',
    { group: ONE, mint: MINT, mintAuthority: OWNER, updateAuthority: null, maxSize: 1000 },
    [ONE, MINT, OWNER],
    `79716c2736330004${ZERO_KEY}${THOUSAND}`,
  ],
];

describe('an instruction of a Token-2022 extension that the node has parsed', () => {
  test.each(CASES)('is rebuilt as its bytes: %s', (type, info, accounts, data) => {
    const rebuilt = rebuildInstruction(TOKEN_2022_PROGRAM, { type, info });
    expect(rebuilt?.accounts).toEqual(accounts);
    expect(Buffer.from(rebuilt?.data ?? []).toString('hex')).toBe(data);
  });

  test.each([
    ['a rate beyond 16 bits', 'updateInterestBearingConfigRate', { newRate: 32_768 }],
    ['a rate that is not an integer', 'updateInterestBearingConfigRate', { newRate: 1.5 }],
    ['a multiplier that is not a number', 'initializeScaledUiAmountConfig', { multiplier: 'NaN' }],
    ['an infinite multiplier', 'initializeScaledUiAmountConfig', { multiplier: 'inf' }],
    ['no multiplier', 'initializeScaledUiAmountConfig', { multiplier: '' }],
    ['an unknown state', 'initializeDefaultAccountState', { accountState: 'thawed' }],
    ['a flag as text', 'updateConfidentialTransferMint', { autoApproveNewAccounts: 'yes' }],
    [
      'a key of 3 bytes',
      'updateConfidentialTransferMint',
      { autoApproveNewAccounts: true, auditorElGamalPubkey: 'AAAA' },
    ],
  ])('is not rebuilt with %s', (_, type, fields) => {
    const signers = { rateAuthority: OWNER, confidentialTransferMintAuthority: OWNER };
    const info = { mint: MINT, ...signers, ...fields };
    expect(rebuildInstruction(TOKEN_2022_PROGRAM, { type, info })).toBeNull();
  });
});
