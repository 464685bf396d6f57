import { describe, expect, it } from 'vitest';
import { buildAuthor, buildPost, POSTED_MS } from '../../../tests/support/build-post.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import type { CountedPost } from '../../model/social-series.ts';
import { sumMinute } from '../sum-posts.ts';
import { PostWeigher } from '../weigh-post.ts';

const COPIES = 200;
/** The most that the filtered count may grow by two hundred altered copies of a post. */
const GROWTH_MAX = 3;

/** Written by hand: posts as crews repeat them, from eight words on. */
const RAIDS = [
  'this gem is about to explode, dev is doxxed and liquidity is locked, get in early',
  'just aped into $WAGG with half my bag, chart looks ready for another leg up tonight',
  'nobody is talking about this one yet, community is growing fast and the team keeps building',
  'last chance before the listing goes live tomorrow morning, do not sleep on this project',
];
const SPARE_WORDS =
  'banana window quickly never purple station market rocket winter silent engine coffee'.split(' ');
const EMOJI = ['🚀', '💎', '🔥', '🌕', '💰', '👀'];
const INVISIBLE = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u3164'];
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  i: 'і',
};

type Pick = <Item>(items: readonly Item[]) => Item;
type Alteration = (text: string, pick: Pick, copy: number) => string;

/** Where `at` is, the words of a text with some change. */
function atWord(text: string, pick: Pick, change: (words: string[], at: number) => void): string {
  const words = text.split(' ');
  change(words, pick([...words.keys()]));
  return words.join(' ');
}

/** What crews do to copies; each draws anew for every copy. */
const ALTERATIONS: Readonly<Record<string, Alteration>> = {
  'one word replaced': (text, pick) =>
    atWord(text, pick, (words, at) => words.splice(at, 1, pick(SPARE_WORDS))),
  'one word inserted': (text, pick) =>
    atWord(text, pick, (words, at) => words.splice(at, 0, pick(SPARE_WORDS))),
  'one word left out': (text, pick) => atWord(text, pick, (words, at) => words.splice(at, 1)),
  'two words exchanged': (text, pick) =>
    atWord(text, pick, (words, at) => {
      const other = pick([...words.keys()]);
      [words[at], words[other]] = [words[other] ?? '', words[at] ?? ''];
    }),
  'invisible letters': (text, pick) =>
    [...text].map((letter) => letter + pick([...INVISIBLE, '', '', ''])).join(''),
  'lookalikes of other scripts': (text, pick) =>
    [...text].map((letter) => pick([letter, LOOKALIKES[letter] ?? letter])).join(''),
  'emoji and elongations': (text, pick) =>
    [...text]
      .map((letter) => ('aeiou'.includes(letter) ? letter.repeat(pick([1, 1, 2, 5])) : letter))
      .join('') + pick(EMOJI).repeat(pick([1, 3, 40])),
  'links, handles, tickers and numbers': (text, pick, copy) =>
    `@${pick(SPARE_WORDS)} ${text} $${pick(SPARE_WORDS)} ${copy * 37}x https://t.co/${copy}${pick(SPARE_WORDS)}`,
  'a typing error': (text, pick) => {
    const at = pick([...Array(text.length).keys()]);
    return text.slice(0, at) + pick([...'qzxvwk']) + text.slice(at + 1);
  },
  'capitals and punctuation': (text, pick) =>
    text
      .split(' ')
      .map((word) => pick([word, word.toUpperCase(), `${word},`, `${word}!!!`, `"${word}"`]))
      .join(' '),
};

function pickFrom(seed: number): Pick {
  let state = seed >>> 0;
  return (items) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const item = items[Math.floor((state / 2 ** 32) * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
}

function countedBy(weigher: PostWeigher, text: string, number: number): CountedPost {
  const author = buildAuthor({ id: `author ${number}`, followers: 900 });
  const post = buildPost({ author, text, postId: `${number}`, createdAtMs: POSTED_MS + number });
  return {
    ...{ platform: post.platform, postId: post.postId, authorId: author.id, followers: 900 },
    ...{ reposts: 0, createdAtMs: post.createdAtMs, sentimentMicro: 0, modelVersion: 'm' },
    ...weigher.weigh(post),
  };
}

describe('two hundred altered copies of a post', () => {
  const cases = Object.keys(ALTERATIONS).flatMap((name) =>
    RAIDS.map((raid) => [name, raid] as const),
  );

  it.each(cases)('by %s add at most three to the filtered count: %s', (name, raid) => {
    const weigher = new PostWeigher();
    const pick = pickFrom(raid.length);
    const alter = ALTERATIONS[name] as Alteration;
    const original = `${raid} ${address('mint')}`;
    const posts = [countedBy(weigher, original, 0)];
    for (let copy = 1; copy <= COPIES; copy++) {
      posts.push(countedBy(weigher, alter(original, pick, copy), copy));
    }
    const sums = sumMinute(0, posts);
    expect(sums.posts).toBe(COPIES + 1);
    expect(sums.distinctPosts).toBeLessThanOrEqual(1 + GROWTH_MAX);
    // Harmonically: about 1 + ln 201 posts, and what the few uncounted copies add.
    expect(sums.weightMicro).toBeLessThan((7 + 2 * GROWTH_MAX) * (posts[0]?.weightMicro ?? 0));
  });
});

/** Twenty posts of people about one token, written by hand: none is a copy. */
const OPINIONS = [
  'I sold half this morning and I am keeping the rest until the weekend',
  'Can somebody explain why volume died right after the migration?',
  'Chart looks fine to me, higher lows since yesterday evening',
  'The developer answered my question on stream, seems like a decent guy',
  'Not touching this again after what happened with the last one',
  'Bought a small bag, mostly because the drawing made me laugh',
  'Top ten wallets hold almost nothing now, that is good news',
  'Fees on this pool are ridiculous, use the other venue',
  'Why is everyone so quiet today',
  'Set a stop below the range and went to bed, woke up in profit',
  'My cousin told me to buy and now he has blocked me',
  'Anyone else seeing the price stuck on their phone?',
  'The telegram is full of bots, please clean it up',
  'Liquidity is locked for a year, I checked the transaction',
  'This will go to zero like the others, mark my words',
  'Waiting for the listing before I add more',
  'Honestly the memes are better than the project',
  'Somebody dumped forty thousand in one swap, look at that candle',
  'Up four times since Monday and nobody is talking about it',
  'Taking profit here, thanks everybody, see you in the next one',
];

it('twenty posts of people about the same token are all counted', () => {
  const weigher = new PostWeigher();
  const counted = OPINIONS.map((text, at) => countedBy(weigher, `${text} ${address('mint')}`, at));
  expect(sumMinute(0, counted).distinctPosts).toBe(OPINIONS.length);
});
