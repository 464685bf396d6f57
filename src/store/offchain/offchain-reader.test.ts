import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { type CloneCursor, NO_OFFCHAIN_FACTS, type TokenClone } from '../../model/off-chain.ts';
import type { Address } from '../../model/units.ts';
import { openOffchainPlane } from './offchain-plane.ts';
import { OffchainReader } from './offchain-reader.ts';
import { TokenFacts } from './token-facts.ts';

const HASH = 'ba8c84536bd3c366';
const NOW_MS = 1_000;
const UNKNOWN = address('nobody');

interface MadeToken {
  readonly mint: Address;
  readonly createdSlot: number | null;
  readonly uri: number;
  /** The bytes of the document, and its picture. */
  readonly content: number;
  readonly picture: number;
}

/** Hashes that differ in 0 to 7 bits from one, and one that differs in many. */
function hashOf(picture: number): string {
  if (picture > 7) return '00000000ffffffff';
  const turned = BigInt(`0x${HASH}`) ^ ((1n << BigInt(picture)) - 1n);
  return turned.toString(16).padStart(16, '0');
}

function readerOf(tokens: readonly MadeToken[]): OffchainReader {
  const database = openOffchainPlane(':memory:');
  const facts = new TokenFacts(database);
  const documents = new Map<number, MadeToken>();
  for (const token of tokens) {
    const { mint, createdSlot, uri } = token;
    const known = { mint, uri: `u${uri}`, name: 'n', symbol: 's', createdSlot, createdAtMs: null };
    facts.noteToken(known, `u${uri}`, NOW_MS);
    if (!documents.has(uri)) documents.set(uri, token);
  }
  for (const [uri, { content, picture }] of documents) {
    facts.noteDocument(
      `u${uri}`,
      {
        contentHash: `c${content}`,
        fault: null,
        name: 'n',
        symbol: null,
        description: null,
        image: `p${picture}`,
        links: [],
        pictureKey: `p${picture}`,
      },
      NOW_MS,
    );
    const hashed = { kind: 'hashed', hash64: hashOf(picture), hash32: '00000000' } as const;
    facts.notePicture(`p${picture}`, `b${picture}`, hashed, NOW_MS);
  }
  return new OffchainReader(database);
}

/** The same by a scan of all tokens: the document of a URI applies to all tokens with it. */
function naiveClones(tokens: readonly MadeToken[], mint: Address) {
  const documentOf = ({ uri }: MadeToken) => tokens.find((token) => token.uri === uri);
  const own = tokens.find((token) => token.mint === mint);
  if (own === undefined) return [];
  const document = documentOf(own);
  const clones: { mint: Address; matches: string[] }[] = [];
  const newestFirst = tokens.toSorted((one, other) => {
    const slots = (other.createdSlot ?? 0) - (one.createdSlot ?? 0);
    return slots !== 0 ? slots : one.mint < other.mint ? 1 : -1;
  });
  for (const token of newestFirst) {
    if (token.mint === mint) continue;
    const other = documentOf(token);
    const matches: string[] = [];
    if (token.uri === own.uri) matches.push('uri');
    if (other?.content === document?.content) matches.push('document');
    const [here, there] = [BigInt(`0x${hashOf(document?.picture ?? 0)}`), other?.picture ?? 0];
    const differing = (here ^ BigInt(`0x${hashOf(there)}`)).toString(2).replaceAll('0', '').length;
    if (differing <= 6) matches.push('picture');
    if (matches.length > 0) clones.push({ mint: token.mint, matches });
  }
  return clones;
}

function allClones(reader: OffchainReader, mint: Address, limit: number): TokenClone[] {
  const clones: TokenClone[] = [];
  let after: CloneCursor | null = null;
  for (let pages = 0; pages < 50; pages++) {
    const page = reader.clones({ mint, after, limit });
    expect(page.clones.length).toBeLessThanOrEqual(limit);
    clones.push(...page.clones);
    after = page.next;
    if (after === null) return clones;
  }
  throw new Error('the pages have no end');
}

const madeTokens = fc
  .array(
    fc.record({
      createdSlot: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 5 })),
      uri: fc.integer({ min: 0, max: 9 }),
      content: fc.integer({ min: 0, max: 12 }),
      picture: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((tokens) => tokens.map((token, at) => ({ ...token, mint: address(`token ${at}`) })));

describe('Clones', () => {
  it('are those that a scan of all tokens finds, newest first, in pages', () => {
    fc.assert(
      fc.property(madeTokens, fc.integer({ min: 1, max: 7 }), (tokens, limit) => {
        const reader = readerOf(tokens);
        for (const { mint } of tokens.slice(0, 3)) {
          const found = allClones(reader, mint, limit);
          expect(found.map((clone) => ({ mint: clone.mint, matches: clone.matches }))).toEqual(
            naiveClones(tokens, mint),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('have the distance of the pictures only if the pictures are similar', () => {
    const token = (name: string, uri: number, picture: number): MadeToken => {
      return { mint: address(name), createdSlot: uri, uri, content: uri, picture };
    };
    const reader = readerOf([
      token('a', 1, 0),
      token('b', 2, 6),
      token('c', 3, 7),
      token('d', 1, 9),
    ]);
    const { clones } = reader.clones({ mint: address('a'), after: null, limit: 10 });
    expect(clones.map(({ mint, pictureDistance }) => [mint, pictureDistance])).toEqual([
      [address('b'), 6],
      [address('d'), 0],
    ]);
  });

  it('of an unknown token are none', () => {
    expect(readerOf([]).clones({ mint: UNKNOWN, after: null, limit: 5 })).toEqual({
      clones: [],
      next: null,
    });
  });

  it('are none for documents without content: an empty object is not a copy of another', () => {
    const database = openOffchainPlane(':memory:');
    const facts = new TokenFacts(database);
    for (const name of ['one', 'two']) {
      const mint = address(name);
      const token = { mint, uri: name, name, symbol: null, createdSlot: 1, createdAtMs: null };
      facts.noteToken(token, name, NOW_MS);
      const nothing = { fault: null, name: null, symbol: null, description: null, image: null };
      const document = { ...nothing, contentHash: 'same', links: [], pictureKey: null };
      facts.noteDocument(name, document, NOW_MS);
    }
    const { clones } = new OffchainReader(database).clones({
      mint: address('one'),
      after: null,
      limit: 5,
    });
    expect(clones).toEqual([]);
  });
});

describe('Facts', () => {
  it('of an unknown token are empty', () => {
    expect(readerOf([]).factsOf(UNKNOWN)).toEqual(NO_OFFCHAIN_FACTS);
    expect(readerOf([]).imageOf(UNKNOWN)).toBeNull();
  });

  it('include a document that was read before for another token', () => {
    const [one, two] = [address('one'), address('two')];
    const database = openOffchainPlane(':memory:');
    const facts = new TokenFacts(database);
    const token = { mint: one, uri: 'u', name: null, symbol: null, createdSlot: 1, createdAtMs: 7 };
    facts.noteToken(token, 'u', NOW_MS);
    const document = {
      ...{ contentHash: 'c', fault: null, name: 'Cat', symbol: null, description: null },
      ...{ image: 'https://cat.example/p', links: [], pictureKey: 'p' },
    };
    facts.noteDocument('u', document, NOW_MS);
    facts.notePicture('p', 'b', { kind: 'hashed', hash64: HASH, hash32: 'ba8c8453' }, NOW_MS);
    expect(facts.noteToken({ ...token, mint: two, createdSlot: 2 }, 'u', NOW_MS + 1)).toBe(true);
    const reader = new OffchainReader(database);
    expect(reader.factsOf(two)).toEqual(reader.factsOf(one));
    expect(reader.imageOf(two)).toBe('https://cat.example/p');
    expect(reader.clones({ mint: two, after: null, limit: 5 }).clones).toMatchObject([
      { mint: one, matches: ['uri', 'document', 'picture'], createdAtMs: 7 },
    ]);
  });

  it('are kept in eight versions', () => {
    const database = openOffchainPlane(':memory:');
    const facts = new TokenFacts(database);
    const document = { fault: null, symbol: null, description: null, image: null, links: [] };
    for (let at = 0; at < 20; at++) {
      const version = { ...document, contentHash: `c${at}`, name: `v${at}`, pictureKey: null };
      expect(facts.noteDocument('u', version, at)).toBe(true);
    }
    const names = database.prepare('SELECT name FROM documents ORDER BY seen_at_ms').all();
    expect(names.map(({ name }) => name)).toEqual(
      Array.from({ length: 8 }, (_, at) => `v${at + 12}`),
    );
  });
});
