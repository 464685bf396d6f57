import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecodeResult, Decoder } from '../../src/decoders/legs/decoder.ts';
import { isVenueProgram } from '../../src/decoders/registry.ts';
import { SELF_EVENT_TAG } from '../../src/decoders/transaction/discriminator.ts';
import type { ProgramLayout } from '../../src/decoders/transaction/program-layout.ts';
import { TransactionView } from '../../src/decoders/transaction/transaction-view.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import type { Instruction } from '../../src/model/instruction.ts';
import { concat, hex, u64 } from './borsh-bytes.ts';
import { address, buildTransaction, type InstructionDraft } from './build-transaction.ts';
import { transfer } from './token-instructions.ts';

const WORDS = Array.from({ length: 5 }, (_, index) => `account ${index}`);
const HELD = 1_000n;
const word = fc.constantFrom(...WORDS);
const amount = fc.bigInt({ min: 0n, max: 50n });

/** Rules that every decoder of a pool program must obey, in addition to its own tests. */
export function describeDecoderLaws(title: string, decoder: Decoder, layout: ProgramLayout): void {
  const selfEvents = [...discriminatorsOf(layout.events), ...Object.values(layout.ignoredEvents)];
  const { decode, programId } = decoder;
  const bare = (data: Uint8Array) => decodeFirst(decode, { program: programId, data });
  const bareEvent = (tag: string) => decodeFirst(decode, selfEventOf(decoder, tag));

  describe(title, () => {
    test.each(Object.entries(layout.ignoredInstructions))('ignores %s', (_name, discriminator) => {
      expect(bare(concat(hex(discriminator), u64(1n)))).toEqual({ status: 'ignored' });
    });

    test('ignores its own events, which are read together with the instruction that emitted them', () => {
      const answers = selfEvents.map(bareEvent);
      expect(answers).toEqual(selfEvents.map(() => ({ status: 'ignored' })));
    });

    test('reports unknown and truncated instructions as unknown', () => {
      const strange = { status: 'unknown', discriminator: '0102030405060708' };
      expect(bare(hex('010203040506070809'))).toEqual(strange);
      expect(bare(hex('f8c69e'))).toEqual({ status: 'unknown', discriminator: 'f8c69e' });
    });

    test('reports an unknown event as unknown', () => {
      const tag = '0102030405060708';
      // A program without self-events does not know their common tag either.
      const discriminator = selfEvents.length === 0 ? SELF_EVENT_TAG : tag;
      expect(bareEvent(tag)).toEqual({ status: 'unknown', discriminator });
    });

    test('never throws and never invents an amount', () => {
      expect(() => assertNeverInvents(decoder, layout)).not.toThrow();
    });
  });
}

/** Data of an event that a program emitted by calling itself, as one of its inner instructions. */
export function selfEventOf(
  { programId }: Pick<Decoder, 'programId'>,
  discriminator: string,
  ...fields: readonly Uint8Array[]
): InstructionDraft {
  return { program: programId, data: concat(hex(SELF_EVENT_TAG + discriminator), ...fields) };
}

/**
 * Throws for a decoder that throws, or that reports an amount which no token transfer below the
 * instruction explains, on any data, accounts, transfers and self-events. Events whose amounts move
 * no token are left to the decoder's own tests.
 */
export function assertNeverInvents(
  decoder: Decoder,
  layout: Pick<ProgramLayout, 'instructions' | 'events'>,
): void {
  const starts = discriminatorsOf(layout.instructions).map(hex);
  const eventTags = discriminatorsOf(layout.events);
  const leg = fc
    .record({ from: word, to: word, amount })
    .map((draft) => transfer({ ...draft, by: 'somebody' }));
  const event = fc
    .tuple(fc.constantFrom('00'.repeat(8), ...eventTags), fc.uint8Array({ maxLength: 260 }))
    .map(([tag, fields]) => selfEventOf(decoder, tag, fields));
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 40 }),
      fc.oneof(
        { weight: 4, arbitrary: fc.array(word.map(address), { minLength: 20, maxLength: 20 }) },
        fc.array(word.map(address), { maxLength: 20 }),
      ),
      fc.array(fc.oneof({ weight: 6, arbitrary: leg }, event), { maxLength: 5 }),
      (start, rest, accounts, inner) => {
        const data = concat(start, rest);
        const draft = { program: decoder.programId, accounts, data, inner };
        const result = decodeFirst(decoder.decode, draft);
        if (result.status !== 'event') return true;
        const moved = inner.reduce((sum, { program, data: bytes }) => {
          return program === decoder.programId ? sum : sum + BigInt(bytes?.[1] ?? 0);
        }, 0n);
        const amounts = result.events.flatMap(amountsOf);
        return amounts.every((amount) => amount <= moved && amount >= -moved);
      },
    ),
    { numRuns: 1_000 },
  );
}

function decodeFirst(decode: Decoder['decode'], draft: InstructionDraft): DecodeResult {
  const transaction = buildTransaction({
    signers: [address('account 0')],
    instructions: [draft],
    tokenBalances: WORDS.map((name, index) => ({
      account: address(name),
      mint: address(`mint ${index % 3}`),
      before: HELD,
      after: HELD,
    })),
  });
  const view = new TransactionView(transaction, isVenueProgram);
  return decode(transaction.instructions[0] as Instruction, view);
}

/**
 * Amounts that require token transfers; a pool may be created from what its vaults already hold.
 */
function amountsOf(event: ChainEvent): readonly bigint[] {
  switch (event.kind) {
    case 'swap':
      return [
        event.poolBaseDelta,
        event.poolQuoteDelta,
        event.traderBaseDelta,
        event.traderQuoteDelta ?? 0n,
      ];
    case 'liquidity':
      return [event.poolBaseDelta, event.poolQuoteDelta, event.lpDelta ?? 0n];
    case 'poolCreated':
      return [event.baseRaw, event.quoteRaw].map((raw) => (raw > HELD ? raw - HELD : 0n));
    case 'migrate':
      return [event.baseRaw, event.quoteRaw];
    case 'launch':
      return [event.supply ?? 0n];
    case 'tokenLock':
      return [event.escrowDelta];
    default:
      return [];
  }
}

function discriminatorsOf(
  read: Readonly<Record<string, { readonly discriminator: string }>>,
): string[] {
  return Object.values(read).map(({ discriminator }) => discriminator);
}
