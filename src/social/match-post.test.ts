import { describe, expect, it } from 'vitest';
import { buildTracked } from '../../tests/support/build-post.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { MATCHES_MAX, TokenIndex } from './match-post.ts';

const FOO = address('foo');
const BAR = address('bar');

function indexOf(...tokens: Parameters<typeof buildTracked>[0][]): TokenIndex {
  const index = new TokenIndex();
  for (const token of tokens) index.put(buildTracked(token));
  return index;
}

const foo = {
  mint: FOO,
  symbol: 'FOO',
  officialLinks: [
    'https://twitter.com/Foo_sol',
    'https://www.foo.example/',
    'https://t.me/foochat',
  ],
};
const bar = { mint: BAR, symbol: 'BAR' };

function mintsOf(index: TokenIndex, text: string, links: string[] = []) {
  return index.match({ text, links }).mints;
}

describe('names of a token in a post', () => {
  const index = indexOf(foo, bar);

  it.each([
    ['its address', `buy ${FOO}!`],
    ['its address in a link', `https://dexscreener.com/solana/${FOO}?t=1`],
    ['its cashtag', '$FOO to the moon'],
    ['its cashtag in small letters', 'who has $foo?'],
    ['its handle', 'ask @foo_SOL.'],
    ['its handle elsewhere', '(@foochat)'],
    ['its page on X under the old name', 'see https://mobile.twitter.com/foo_sol/status/12.'],
    ['its site', 'look: FOO.example/map, it is out'],
  ])('is %s', (_, text) => {
    expect(mintsOf(index, text)).toEqual([FOO]);
  });

  it('may be a link outside the text', () => {
    expect(mintsOf(index, 'look', [`https://pump.fun/coin/${FOO}`])).toEqual([FOO]);
    expect(mintsOf(index, 'look', ['https://x.com/foo_sol'])).toEqual([FOO]);
  });

  it.each([
    ['a name without a sign', 'FOO is fine'],
    ['an address of another case', FOO.toLowerCase()],
    ['an address within a longer word', `${FOO}x ${'1'.repeat(20)}${FOO}`],
    ['a price', 'worth $5 or US$FOO'],
    ['another handle', 'mail me: me@foo_sol, @foo_sol_fan'],
    ['another site', 'notfoo.example foo.example.org x.com'],
    ['another account of a shared place', 'https://x.com/foo_sols'],
  ])('is not %s', (_, text) => {
    expect(mintsOf(index, text)).toEqual([]);
  });

  it('may match several tokens', () => {
    expect(mintsOf(index, `$bar and ${FOO} and $FOO`)).toEqual([FOO, BAR]);
  });
});

describe('names that several tokens claim', () => {
  it('match none of them, and are counted', () => {
    const index = indexOf(foo, {
      mint: BAR,
      symbol: 'foo',
      officialLinks: ['https://x.com/foo_sol'],
    });
    const match = index.match({ text: '$FOO @foo_sol x.com/foo_sol foo.example', links: [] });
    expect(match).toEqual({ mints: [FOO], ambiguous: 3, beyond: 0 });
  });

  it('count only tokens with liquidity', () => {
    const poor = { mint: BAR, symbol: 'FOO', isLiquid: false };
    expect(mintsOf(indexOf(foo, poor), '$FOO')).toEqual([FOO]);
    expect(mintsOf(indexOf(poor), '$FOO')).toEqual([]);
  });

  it('follow changes of a token', () => {
    const index = indexOf(foo, { ...bar, symbol: 'FOO' });
    expect(mintsOf(index, '$FOO')).toEqual([]);
    index.put(buildTracked({ ...bar, symbol: 'FOO', isLiquid: false }));
    expect(mintsOf(index, '$FOO')).toEqual([FOO]);
    index.put(buildTracked({ ...foo, symbol: 'BAZ', officialLinks: [] }));
    expect(mintsOf(index, '$FOO @foo_sol')).toEqual([]);
    expect(index.size).toBe(2);
  });
});

describe('a spam post', () => {
  it('counts for only a few of the tokens it lists', () => {
    const mints = Array.from({ length: 50 }, (_, at) => address(`listed ${at}`));
    const index = indexOf(...mints.map((mint) => ({ mint, symbol: null })));
    const match = index.match({ text: mints.join(' '), links: [] });
    expect(match).toEqual({ mints: mints.slice(0, MATCHES_MAX), ambiguous: 0, beyond: 45 });
  });

  it.each([
    ['dots', 'a.'.repeat(2_000)],
    ['letters of links', 'https://'.repeat(500)],
    ['letters of addresses', 'A'.repeat(4_000)],
    ['signs', '@$'.repeat(2_000)],
    ['handles', '@a.-_'.repeat(800)],
    ['halves of characters', '\ud83d$\udc8e@\ud83d'.repeat(700)],
    ['control characters', '\u0000\u202e$FOO\u0000'.repeat(300)],
  ])('is read in little time: %s', (_, text) => {
    const index = indexOf(bar);
    const before = process.threadCpuUsage();
    for (let time = 0; time < 10; time++) expect(mintsOf(index, text, [text])).toEqual([]);
    // Quadratic time would take seconds.
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
