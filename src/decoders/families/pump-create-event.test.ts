import { describe, expect, it } from 'vitest';
import { concat, hex, key, text, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { encodeEvent, readIdl } from '../../../tests/support/idl.ts';
import { CAT, PUMP, selfEvent } from '../../../tests/support/pump-drafts.ts';
import { hasTestData } from '../../../tests/support/test-data.ts';
import { mintTo } from '../../../tests/support/token-instructions.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import {
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  USDC,
  WRAPPED_SOL,
} from '../../model/program.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { Tally } from '../tally.ts';
import { readCreateEvent } from './pump-create-event.ts';

const CREATE_EVENT = '1b72a94ddeeb6376';
const SUPPLY = 10n ** 15n;
const CREATOR = address('creator');

describe('create', () => {
  it('launches a curve and sets the metadata of the token', () => {
    const instruction = createDraft([
      mintTo(CAT.mint, CAT.baseVault, SUPPLY),
      selfEvent(CREATE_EVENT, createFields('2025')),
    ]);
    expect(decode(instruction)).toEqual([
      {
        kind: 'launch',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump',
        mint: CAT.mint,
        quoteMint: WRAPPED_SOL,
        pool: CAT.curve,
        creator: CAT.alice,
        feeRecipient: CREATOR,
        tokenProgram: SPL_TOKEN_PROGRAM,
        supply: SUPPLY,
        reserves: {
          base: 793_100_000_000_000n,
          quote: 0n,
          virtualBase: 1_073_000_000_000_000n,
          virtualQuote: 30_000_000_000n,
        },
      },
      {
        kind: 'metadataSet',
        outerIx: 0,
        innerIx: -1,
        standard: 'metaplex',
        mint: CAT.mint,
        name: 'Cat Ⅱ',
        symbol: 'CAT',
        uri: 'https://cat.example/1',
        sellerFeeBps: null,
        creators: null,
        isMutable: null,
        primarySaleHappened: null,
        tokenStandard: null,
      },
    ]);
  });

  it('of 2024 has no creator other than the wallet that launched, and no reserves', () => {
    const instruction = createDraft(
      [mintTo(CAT.mint, CAT.baseVault, SUPPLY), selfEvent(CREATE_EVENT, createFields('2024'))],
      concat(text('Cat'), text('CAT'), text('https://cat.example/1')),
    );
    expect(decode(instruction)[0]).toMatchObject({ creator: CAT.alice, reserves: null });
  });

  it('has no fee recipient when the wallet that launched is paid itself', () => {
    const fields = createFields('2025', WRAPPED_SOL, CAT.alice);
    const [launch] = decode(createDraft([selfEvent(CREATE_EVENT, fields)]));
    expect(launch).toMatchObject({ creator: CAT.alice });
    expect(launch).not.toHaveProperty('feeRecipient');
  });

  it('of March 2025 ends with creator and time', () => {
    const instruction = createDraft([selfEvent(CREATE_EVENT, createFields('2025-03'))]);
    expect(decode(instruction)[0]).toMatchObject({
      creator: CAT.alice,
      feeRecipient: CREATOR,
      reserves: null,
    });
  });

  it('without its event takes the wallet from accounts, the fee recipient from arguments', () => {
    expect(decode(createDraft([]))[0]).toMatchObject({
      creator: CAT.alice,
      feeRecipient: CREATOR,
      supply: null,
      reserves: null,
      quoteMint: WRAPPED_SOL,
    });
  });

  it('reads the supply from the minted amount, regardless of the event', () => {
    const instruction = createDraft([
      mintTo(CAT.mint, CAT.baseVault, 7n),
      mintTo(CAT.mint, address('second vault'), 5n),
      mintTo(address('other mint'), CAT.baseVault, 3n),
      selfEvent(CREATE_EVENT, createFields('2025')),
    ]);
    expect(decode(instruction)[0]).toMatchObject({ supply: 12n });
  });

  it('is malformed when its arguments end early', () => {
    const instruction = createDraft([], concat(text('Cat'), text('CAT')));
    expect(problemsOf(instruction)).toEqual(['malformed: create arguments end early']);
  });

  it('is malformed when its event ends inside a field', () => {
    const short = createFields('2025').subarray(0, -1);
    expect(problemsOf(createDraft([selfEvent(CREATE_EVENT, short)]))).toEqual([
      'malformed: CreateEvent ends inside its fields',
    ]);
  });
});

describe.skipIf(!hasTestData)(
  'readCreateEvent reads bytes encoded by the published interface',
  () => {
    const values = {
      user: CAT.alice,
      creator: CREATOR,
      virtual_token_reserves: 11n,
      virtual_sol_reserves: 12n,
      real_token_reserves: 13n,
      quote_mint: USDC,
      virtual_quote_reserves: 14n,
    };
    it.each([
      ['pump.2024', { user: CAT.alice, creator: CAT.alice, quoteMint: null, reserves: null }],
      [
        'pump.2025-07',
        {
          user: CAT.alice,
          creator: CREATOR,
          quoteMint: null,
          reserves: { virtualBase: 11n, virtualQuote: 12n, realBase: 13n },
        },
      ],
      [
        'pump.2026-10.idl',
        {
          user: CAT.alice,
          creator: CREATOR,
          quoteMint: USDC,
          reserves: { virtualBase: 11n, virtualQuote: 14n, realBase: 13n },
        },
      ],
      [
        'pump.official',
        {
          user: CAT.alice,
          creator: CREATOR,
          quoteMint: USDC,
          reserves: { virtualBase: 11n, virtualQuote: 14n, realBase: 13n },
        },
      ],
    ])('of %s', (idl, expected) => {
      const fields = encodeEvent(readIdl(idl), 'CreateEvent', values);
      expect(readCreateEvent(concat(new Uint8Array(16), fields))).toEqual(expected);
    });
  },
);

describe('create_v2', () => {
  it('launches a Token-2022 mint, quoted in the token named by its event', () => {
    const instruction = createV2Draft([
      { ...mintTo(CAT.mint, CAT.baseVault, SUPPLY), program: TOKEN_2022_PROGRAM },
      selfEvent(CREATE_EVENT, createFields('latest', USDC)),
    ]);
    const [launch, metadata] = decode(instruction);
    expect(launch).toMatchObject({
      mint: CAT.mint,
      pool: CAT.curve,
      creator: CAT.alice,
      feeRecipient: CREATOR,
      quoteMint: USDC,
      tokenProgram: TOKEN_2022_PROGRAM,
      supply: SUPPLY,
      reserves: { virtualQuote: 4_200_000_000n },
    });
    expect(metadata).toMatchObject({ standard: 'token2022', name: 'Cat Ⅱ' });
  });

  it('reads an event from before separate fees, which ends with the start of the quote', () => {
    const event = createFields('2026-03', USDC);
    const [launch] = decode(createV2Draft([selfEvent(CREATE_EVENT, event)]));
    expect(launch).toMatchObject({ quoteMint: USDC, reserves: { virtualQuote: 4_200_000_000n } });
  });

  it('keeps the launched mint as base when it is quoted in another pump token', () => {
    const fields = createFields('latest', address('dog mint'));
    const [launch] = decode(createV2Draft([selfEvent(CREATE_EVENT, fields)]));
    expect(launch).toMatchObject({ mint: CAT.mint, quoteMint: address('dog mint') });
  });

  it('is quoted in SOL when its event names the system program', () => {
    const event = createFields('latest', SYSTEM_PROGRAM);
    const [launch] = decode(createV2Draft([selfEvent(CREATE_EVENT, event)]));
    expect(launch).toMatchObject({ quoteMint: WRAPPED_SOL });
  });
});

function createDraft(
  inner: readonly InstructionDraft[],
  args = concat(text('Cat Ⅱ'), text('CAT'), text('https://cat.example/1'), key(CREATOR)),
): InstructionDraft {
  return {
    program: PUMP,
    accounts: [
      CAT.mint,
      address('mint authority'),
      CAT.curve,
      CAT.baseVault,
      address('global'),
      METAPLEX_METADATA_PROGRAM,
      address('metadata'),
      CAT.alice,
      SYSTEM_PROGRAM,
      SPL_TOKEN_PROGRAM,
    ],
    data: concat(hex('181ec828051c0777'), args),
    inner,
  };
}

function createV2Draft(inner: readonly InstructionDraft[]): InstructionDraft {
  return {
    program: PUMP,
    accounts: [
      CAT.mint,
      address('mint authority'),
      CAT.curve,
      CAT.baseVault,
      address('global'),
      CAT.alice,
      SYSTEM_PROGRAM,
      TOKEN_2022_PROGRAM,
    ],
    data: concat(
      hex('d6904cec5f8b31b4'),
      text('Cat Ⅱ'),
      text('CAT'),
      text('https://cat.example/1'),
      key(CREATOR),
      Uint8Array.of(1, 0),
    ),
    inner,
  };
}

/** Fields of a CreateEvent in the order in which its layouts added them. */
function createFields(
  layout: '2024' | '2025-03' | '2025' | '2026-03' | 'latest',
  quoteMint: string = WRAPPED_SOL,
  creator: string = CREATOR,
): Uint8Array {
  const first = concat(
    text('Cat Ⅱ'),
    text('CAT'),
    text('https://cat.example/1'),
    key(CAT.mint),
    key(CAT.curve),
    key(CAT.alice),
  );
  if (layout === '2024') return first;
  const second = concat(first, key(creator), u64(1_740_000_000n));
  if (layout === '2025-03') return second;
  const third = concat(
    second,
    u64(1_073_000_000_000_000n),
    u64(30_000_000_000n),
    u64(793_100_000_000_000n),
    u64(SUPPLY),
  );
  if (layout === '2025') return third;
  const modes = Uint8Array.of(0, 1);
  const fourth = concat(third, key(TOKEN_2022_PROGRAM), modes, key(quoteMint), u64(4_200_000_000n));
  if (layout === '2026-03') return fourth;
  return concat(fourth, u64(200n), Uint8Array.of(1), Uint8Array.of(1));
}

/** Events of a transaction with this one launch, without those of the token programs. */
function decode(instruction: InstructionDraft): readonly ChainEvent[] {
  return decodeAll(instruction).events.filter(({ kind }) => kind !== 'tokenTransfer');
}

function problemsOf(instruction: InstructionDraft): string[] {
  const { tally } = decodeAll(instruction);
  return tally.problems.map(({ problem, reason }) => `${problem}: ${reason}`);
}

function decodeAll(instruction: InstructionDraft) {
  const transaction = buildTransaction({ signers: [CAT.alice], instructions: [instruction] });
  const tally = new Tally();
  return { events: decodeTransaction(transaction, 0, tally).events, tally };
}
