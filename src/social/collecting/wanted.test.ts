import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import type { TrackedToken } from '../../model/social-post.ts';
import { type Address, asAddress } from '../../model/units.ts';
import { TokenIndex } from '../match-post.ts';
import { WantedFilter, wantedOf } from './wanted.ts';

const MINT = asAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OTHER = asAddress('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');

function token(mint: Address, fields: Partial<TrackedToken> = {}): TrackedToken {
  return {
    mint,
    trackingSinceMs: 0,
    symbol: null,
    isLiquid: true,
    officialLinks: [],
    ...fields,
  };
}

const LINKS = ['https://twitter.com/usd_coin', 'https://usdc.example/', 'https://t.me/usdchat'];
const TOKENS = [
  token(MINT, { symbol: 'USDC', officialLinks: LINKS }),
  token(OTHER, { symbol: 'Bönk' }),
];

function passes(text: string, links: readonly string[] = []): boolean {
  return new WantedFilter(wantedOf(TOKENS)).passes({ text, links });
}

describe('wanted names', () => {
  it('are all addresses, and the names that belong to one token', () => {
    const wanted = wantedOf([
      token(MINT, { symbol: 'WIF', officialLinks: ['https://x.com/shared', 'https://wif.xyz'] }),
      token(OTHER, { symbol: 'wif', officialLinks: ['https://www.twitter.com/shared/'] }),
      token(named('3'), { symbol: 'DUST', isLiquid: false }),
      token(named('4'), { symbol: 'ONE', officialLinks: ['not a link', 'https://x.com'] }),
    ]);
    expect(wanted).toEqual({
      mints: [MINT, OTHER, '3', '4'],
      cashtags: ['one'],
      links: ['wif.xyz'],
    });
  });

  it.each([
    `ape ${MINT} now`,
    `(${MINT})`,
    'buying $usdc, all of it',
    'BÖNK? $BÖNK!',
    'ask @usd_coin.',
    'see x.com/usd_coin/status/1',
    'see https://USDC.example/docs?x=1',
  ])('lets "%s" pass', (text) => {
    expect(passes(text)).toBe(true);
  });

  it('accepts posts that only contain a wanted link', () => {
    expect(passes('gm', [`https://pump.fun/coin/${MINT}`])).toBe(true);
    expect(passes('gm', ['https://t.me/usdchat/55'])).toBe(true);
  });

  it.each([
    'good morning',
    'USDC without the sign',
    '$usdcx',
    `${MINT}x`,
    'x.com/usd_coiner',
    'https://x.com',
    '@usd',
    '',
  ])('keeps "%s" out', (text) => {
    expect(passes(text)).toBe(false);
  });

  it('accepts every post that would be counted for a token', () => {
    const index = new TokenIndex();
    for (const each of TOKENS) index.put(each);
    const piece = fc.oneof(
      fc.constantFrom(
        MINT,
        OTHER,
        MINT.slice(1),
        '$',
        '@',
        'usdc',
        'USDC',
        'usd_coin',
        'bönk',
        'x.com/',
        'twitter.com/',
        'https://',
        'usdc.example',
        't.me/usdchat',
        'www.',
        '/',
        '.',
        '-',
        '(',
        ')',
        '[',
        ',',
        ' ',
        '\n',
      ),
      fc.string({ maxLength: 3 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    let matched = 0;
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 2 }), (written, links) => {
        const post = { text: written, links };
        if (index.match(post).mints.length === 0) return;
        matched++;
        expect(new WantedFilter(wantedOf(TOKENS)).passes(post)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(matched).toBeGreaterThan(300);
  });

  it('reads a post crafted to be slow within a few milliseconds', () => {
    const filter = new WantedFilter(wantedOf(TOKENS));
    const texts = ['a.'.repeat(2_000), '1'.repeat(4_000), '$'.repeat(4_000), '@a'.repeat(2_000)];
    texts.push('http://'.repeat(570), 'a-'.repeat(2_000), `${'a.a/'.repeat(1_000)}`);
    for (const text of texts) {
      const before = process.threadCpuUsage();
      filter.passes({ text, links: Array.from({ length: 20 }, () => text.slice(0, 2_000)) });
      expect(process.threadCpuUsage(before).user).toBeLessThan(250_000);
    }
  });
});
