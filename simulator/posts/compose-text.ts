import type { Random } from '../random/random.ts';
import { FOREIGN_CLAIMS } from './foreign-phrases.ts';
import {
  CLOSERS,
  type Claim,
  ENGLISH_CLAIMS,
  type Lean,
  OFF_TOPIC,
  OPENERS,
  RAID_TEXTS,
  REASONS,
  SARCASTIC_CLAIMS,
  SPAM,
  type Tone,
  WIDE_MARKET,
} from './phrases.ts';

/** A text and its intended meaning. */
export interface ComposedText {
  readonly text: string;
  /** ISO 639-1. */
  readonly lang: string;
  /** −1 to 1, in hundredths. */
  readonly sentiment: number;
}

const SHARES = { opener: 0.45, reason: 0.75, closer: 0.5 } as const;

/** An opinion about a token in this tone, in English or the language's own few phrases. */
export function composeOpinion(
  random: Random,
  lang: string,
  tone: Tone,
  mention: string,
): ComposedText {
  const lean = leanOf(tone);
  const foreign = FOREIGN_CLAIMS[lang];
  if (foreign !== undefined) {
    return { ...composed(random, [random.pick(foreign[lean])], mention), lang };
  }
  const parts: Claim[] = [random.pick(ENGLISH_CLAIMS[tone])];
  if (random.chance(SHARES.opener)) parts.unshift(said(random.pick(OPENERS)));
  if (random.chance(SHARES.reason)) parts.push(said(`, ${random.pick(REASONS[lean])}`));
  if (random.chance(SHARES.closer)) parts.push(random.pick(CLOSERS[lean]));
  return composed(random, parts, mention);
}

/** A recommendation by an author with many followers. */
export function composeCall(random: Random, lang: string, mention: string): ComposedText {
  if (lang !== 'en') return composeOpinion(random, lang, 'euphoric', mention);
  const claim = random.pick(ENGLISH_CLAIMS.euphoric);
  const [first, second] = random.shuffle(REASONS.positive);
  const head = said(
    random.pick(['new call:', 'my play today:', 'position opened at {k}k:', 'calling it:']),
  );
  const tail = said(`. ${first}, ${second}. invalid below {k}k. nfa`);
  return composed(random, [head, claim, tail], mention);
}

/** Words of praise with a negative meaning. */
export function composeSarcasm(random: Random, mention: string): ComposedText {
  const parts: Claim[] = [random.pick(SARCASTIC_CLAIMS)];
  if (random.chance(SHARES.opener)) parts.unshift(said(random.pick(OPENERS)));
  if (random.chance(SHARES.reason)) parts.push(said(`, ${random.pick(REASONS.negative)}`));
  return composed(random, parts, mention);
}

/** A switch from one token to another. */
export function composeRotation(
  random: Random,
  from: string,
  to: string,
): {
  readonly text: string;
  readonly lang: string;
  readonly fromSentiment: number;
  readonly toSentiment: number;
} {
  const template = random.pick([
    'sold my {m} for {f}, {n} sol moved',
    'rotating {n}% out of {m} into {f} at {k}k',
    '{m} is dead weight, {f} is where the {n} sol goes',
  ]);
  const reason = random.pick(REASONS.neutral);
  const text = fill(random, `${template}, ${reason}`, { m: from, f: to });
  return { text, lang: 'en', fromSentiment: -0.5, toSentiment: 0.5 };
}

/** The announcement by the token's own account that it has migrated to a pool. */
export function composeOfficial(random: Random, mention: string): ComposedText {
  const template = random.pick([
    'we are live on the new pool! {m} left the curve after {h} hours, {n} holders strong',
    'bonding curve of {m} complete, liquidity moved and burned, thank you all {n} of you',
    '{m} migrated. next: {h} listings and the site update this week',
  ]);
  return composed(random, [{ text: template, sentiment: 0.6 }, said('📢')], mention);
}

/** Names tokens without an opinion about them. */
export function composeSpam(random: Random, mentions: readonly string[]): ComposedText {
  return composed(random, [said(random.pick(SPAM))], mentions.join(' '));
}

/** The shared text of a raid. `follow` is the link or handle to promote. */
export function composeRaid(random: Random, mention: string, follow: string): ComposedText {
  const text = fill(random, random.pick(RAID_TEXTS), { m: mention, f: follow });
  return { text, lang: 'en', sentiment: 0.9 };
}

const COPY_ENDINGS = [' 🚀', ' 🔥', ' 💎', '!!', ' 🚀🚀🚀', ' 👀'];

/** A copy of a text as one of many accounts posts it: verbatim, or with a trivial change. */
export function copyOf(random: Random, text: string): string {
  const drawn = random.unit();
  if (drawn < 0.6) return text;
  if (drawn < 0.9) return text + random.pick(COPY_ENDINGS);
  return drawn < 0.95 ? text.replace(', ', ' , ') : text.charAt(0).toUpperCase() + text.slice(1);
}

/** About no token of the run. */
export function composeOffTopic(random: Random): ComposedText {
  const parts = [random.pick(OFF_TOPIC).replace('{s}', () => random.pick(WIDE_MARKET))];
  if (random.chance(SHARES.opener)) parts.unshift(random.pick(OPENERS));
  if (random.chance(SHARES.reason)) parts.push(`, ${random.pick(REASONS.neutral)}`);
  return composed(random, parts.map(said), '');
}

function leanOf(tone: Tone): Lean {
  if (tone === 'neutral') return 'neutral';
  return tone === 'euphoric' || tone === 'bullish' ? 'positive' : 'negative';
}

function said(text: string): Claim {
  return { text, sentiment: 0 };
}

function composed(random: Random, parts: readonly Claim[], mention: string): ComposedText {
  const sum = parts.reduce((total, { sentiment }) => total + sentiment, 0);
  const joined = parts
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/ (?=[,.] )/g, '');
  return {
    text: fill(random, joined, { m: mention }),
    lang: 'en',
    sentiment: Math.round(Math.max(-1, Math.min(1, sum)) * 100) / 100,
  };
}

/** Words that are given instead of drawn: `{m}` for the token, `{f}` for the text next to it. */
interface Given {
  readonly m: string;
  readonly f?: string;
}

const NUMBERS: Readonly<Record<string, (random: Random) => number>> = {
  n: (random) => 2 + random.below(97),
  k: (random) => 10 + random.below(890),
  h: (random) => 2 + random.below(22),
  x: (random) => 5 * (1 + random.below(20)),
};

/** Fills placeholders in one pass: placeholders inside a token's own name are not replaced. */
function fill(random: Random, template: string, { m, f = '' }: Given): string {
  return template.replaceAll(/\{([nkhxmf])\}/g, (_, placeholder: string) => {
    if (placeholder === 'm') return m;
    return placeholder === 'f' ? f : String(NUMBERS[placeholder]?.(random));
  });
}
