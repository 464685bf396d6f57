import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import { INTERFACE_CHARS_MAX, parseInterface } from './parse-interface.ts';
import type { ProgramInterface } from './program-interface.ts';

function parsed(document: unknown): ProgramInterface {
  const reading = parseInterface(JSON.stringify(document));
  if (reading.status === 'refused') throw new Error(reading.reason);
  return reading.value;
}

const SWAP = { name: 'swap', discriminator: [248, 198, 158, 145, 225, 117, 135, 200] };

describe('an IDL of Anchor', () => {
  test('since 0.30 has discriminators, groups of accounts, and fields with their types', () => {
    expect(
      parsed({
        address: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
        metadata: { name: 'any', version: '0.1.0', spec: '0.1.0' },
        instructions: [
          {
            ...SWAP,
            accounts: [
              { name: 'payer', signer: true },
              { name: 'pool', accounts: [{ name: 'vault_a' }, { name: 'vault_b' }] },
              { name: 'token_program' },
            ],
            args: [{ name: 'amount', type: 'u64' }],
          },
        ],
        events: [{ name: 'SwapEvent', discriminator: [64, 198, 205, 232, 38, 8, 113, 226] }],
        types: [
          {
            name: 'SwapEvent',
            type: {
              kind: 'struct',
              fields: [
                { name: 'amount_in', type: 'u64' },
                { name: 'side', type: { defined: { name: 'Side' } } },
              ],
            },
          },
          { name: 'Side', type: { kind: 'enum', variants: [{ name: 'Buy' }] } },
        ],
      }),
    ).toEqual({
      address: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
      instructions: [
        {
          name: 'swap',
          discriminator: 'f8c69e91e17587c8',
          accounts: ['payer', 'vault_a', 'vault_b', 'token_program'],
        },
      ],
      events: [
        {
          name: 'SwapEvent',
          discriminator: '40c6cde8260871e2',
          fields: [
            { name: 'amount_in', type: 'u64' },
            { name: 'side', type: { defined: { name: 'Side' } } },
          ],
        },
      ],
    });
  });

  test('before 0.30 has names in camel case, and the fields of an event within it', () => {
    expect(
      parsed({
        version: '0.1.0',
        name: 'any',
        instructions: [{ name: 'goToABin', accounts: [{ name: 'lbPair', isMut: true }] }],
        events: [{ name: 'GoToABin', fields: [{ name: 'fromBinId', type: 'i32', index: false }] }],
        metadata: { address: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo' },
      }),
    ).toEqual({
      address: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
      instructions: [{ name: 'go_to_a_bin', discriminator: null, accounts: ['lb_pair'] }],
      events: [
        {
          name: 'GoToABin',
          discriminator: null,
          fields: [{ name: 'from_bin_id', type: 'i32' }],
        },
      ],
    });
  });

  test('of Shank has numbers as discriminators', () => {
    const discriminant = { type: 'u8', value: 13 };
    const instructions = [{ name: 'PlaceOrder', discriminant, accounts: [] }];
    expect(parsed({ instructions }).instructions).toEqual([
      { name: 'place_order', discriminator: '0d', accounts: [] },
    ]);
  });

  test('with an event whose fields are not shown has no fields', () => {
    const events = [{ name: 'Gone', discriminator: [1] }];
    expect(parsed({ instructions: [{ ...SWAP, accounts: [] }], events }).events).toEqual([
      { name: 'Gone', discriminator: '01', fields: null },
    ]);
  });
});

test('an IDL of Codama has discriminators as arguments or constants, and lower-case events', () => {
  const bytes = (data: string, encoding = 'base16') => ({ kind: 'bytesValueNode', data, encoding });
  const amount = {
    kind: 'structFieldTypeNode',
    name: 'amountIn',
    type: { kind: 'numberTypeNode' },
  };
  expect(
    parsed({
      kind: 'rootNode',
      program: {
        publicKey: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
        instructions: [
          {
            kind: 'instructionNode',
            name: 'swapExactIn',
            accounts: [{ name: 'poolAuthority' }],
            arguments: [
              { name: 'discriminator', defaultValue: bytes('f8c69e91e17587c8') },
              { name: 'amount' },
            ],
            discriminators: [{ kind: 'fieldDiscriminatorNode', name: 'discriminator', offset: 0 }],
          },
          {
            kind: 'instructionNode',
            name: 'close',
            accounts: [],
            arguments: [{ name: 'number', defaultValue: { kind: 'numberValueNode', number: 9 } }],
            discriminators: [{ kind: 'fieldDiscriminatorNode', name: 'number', offset: 0 }],
          },
        ],
        events: [
          {
            kind: 'eventNode',
            name: 'evtSwap',
            data: {
              kind: 'hiddenPrefixTypeNode',
              type: { kind: 'structTypeNode', fields: [amount] },
            },
            discriminators: [
              {
                kind: 'constantDiscriminatorNode',
                offset: 0,
                constant: { value: bytes('GzeR4g==', 'base64') },
              },
            ],
          },
        ],
      },
    }),
  ).toEqual({
    address: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
    instructions: [
      {
        name: 'swap_exact_in',
        discriminator: 'f8c69e91e17587c8',
        accounts: ['pool_authority'],
      },
      { name: 'close', discriminator: '09', accounts: [] },
    ],
    events: [
      {
        name: 'EvtSwap',
        discriminator: '1b3791e2',
        fields: [{ name: 'amount_in', type: { kind: 'numberTypeNode' } }],
      },
    ],
  });
});

describe('a document that is not an interface', () => {
  const many = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);
  const nested = (depth: number): unknown =>
    JSON.parse(`${'{"name":"a","accounts":['.repeat(depth)}${']}'.repeat(depth)}`);

  test.each<[string, unknown, string]>([
    ['a number', 7, 'it is not an object'],
    ['a list', [], 'it is not an object'],
    ['null', null, 'it is not an object'],
    ['no instructions', { name: 'x' }, 'it lists no instructions'],
    ['an empty list', { instructions: [] }, 'it lists no instructions'],
    ['text as instructions', { instructions: 'swap' }, 'instructions is not a list'],
    ['a million instructions', { instructions: many(1e6, 1) }, 'more than 4096 entries'],
    ['numbers as instructions', { instructions: [1] }, 'instructions[0] is not an object'],
    ['a number as name', { instructions: [{ name: 1 }] }, 'instructions[0] has no name'],
    ['a long name', { instructions: [{ name: 'x'.repeat(1e5) }] }, 'has no name'],
    ['a name with escapes', { instructions: [{ name: '\u001b[31m' }] }, 'has no name'],
    [
      'a discriminator that is not bytes',
      { instructions: [{ ...SWAP, discriminator: [256] }] },
      'is not a list of bytes',
    ],
    [
      'thousands of accounts',
      { instructions: [{ ...SWAP, accounts: many(2_000, { name: 'a' }) }] },
      'more than 1024 entries',
    ],
    [
      'thousands of accounts in groups',
      {
        instructions: [
          { ...SWAP, accounts: many(9, { name: 'g', accounts: many(1_000, { name: 'a' }) }) },
        ],
      },
      'too many entries',
    ],
    ['events of another kind', { instructions: [SWAP], events: {} }, 'events is not a list'],
    ['types without a type', { instructions: [SWAP], types: [{ name: 'A' }] }, 'is not an object'],
    ['deep groups', { instructions: [nested(600)] }, 'nested too deep'],
    ['Codama without a program', { kind: 'rootNode' }, 'program is not an object'],
  ])('is refused: %s', (_, document, reason) => {
    expect(parseInterface(JSON.stringify(document))).toEqual({
      status: 'refused',
      reason: expect.stringContaining(reason) as string,
    });
  });

  test.each([
    ['nothing', '', 'it is not JSON'],
    ['truncated text', '{"instructions":[{"na', 'it is not JSON'],
    ['ten million brackets', '['.repeat(8_000_000), 'nested too deep'],
    ['a long text', ' '.repeat(INTERFACE_CHARS_MAX + 1), 'longer than'],
  ])('is refused: %s', (_, text, reason) => {
    const startMs = performance.now();
    expect(parseInterface(text)).toEqual({
      status: 'refused',
      reason: expect.stringContaining(reason) as string,
    });
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });

  test('never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.json(), (one, other) => {
        parseInterface(one);
        parseInterface(`{"instructions":[${one}],"events":[${other}],"types":[${one}]}`);
        parseInterface(
          `{"kind":"rootNode","program":{"instructions":[${one}],"events":[${other}]}}`,
        );
      }),
    );
  });
});
